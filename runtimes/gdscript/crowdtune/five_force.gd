# Wang, Simulating Crowd Motion with Evolutionary Computation, NCCU 2005: five weighted forces, then one person after the other steps where
# nobody and nothing is.

const Crowd = preload("crowd.gd")
const Place = preload("place.gd")

const HALF = 0.70710678118654752440
# The sets of directions, left before right.
const TURNS = {
	"four_forward": [[HALF, HALF], [HALF, -HALF], [0.0, 1.0], [0.0, -1.0]],
	"four_diagonal": [[HALF, HALF], [HALF, -HALF], [-HALF, HALF], [-HALF, -HALF]],
	"seven": [[HALF, HALF], [HALF, -HALF], [0.0, 1.0], [0.0, -1.0], [-HALF, HALF], [-HALF, -HALF], [-1.0, 0.0]],
}
# Nearer people are at the same place, m.
const SAME_PLACE = 1e-4
# Nearer to a wall touches it, m.
const TOUCH = 1e-3
# Sine of the angle to a wall below which a way slides along it.
const GRAZES = 1e-3
# Most moves on the way to a wall, and how far each looks, m.
const MOVES = 24
const LOOK = 2.0
# Overlap that is rounding, m.
const SLACK = 1e-10
# Share of the speed below which the neighbors' velocity is no step.
const LEAST_SHARE = 0.1
# Most points of a trace.
const POINTS = 200
const RADIAN = PI / 180.0

enum Hit { NOTHING, PERSON, WALL }

# Constants by group.
var groups = []
# Where the first member of each group has walked, and its id.
var traces = []
var leaders = []
# By row: heading and velocity after the forces, mean velocity of those in sight.
var facing = []
var wanted = []
var mean = []
# Who can be in the way of a step: [x, y, how near it may come].
var close = []


func setup(constants):
	groups = constants
	for _group in groups:
		traces.append([])
		leaders.append(-1)


# How far people see, m; at least as far as bodies can meet in a step.
func reach(people):
	var widest = 0.0
	for person in people:
		widest = Place.upper(widest, person.radius)
	var far = 1.0
	for c in groups:
		far = Place.upper(far, c.range_diameters)
	return 2.0 * widest * far


# Velocities of the next step.
func steer(place, people, cells, dt):
	for person in people:
		if person.heading_x == 0.0 and person.heading_y == 0.0 and person.walks and person.top_speed(1.0) > 0.0:
			var heading = _first_heading(person)
			person.heading_x = heading[0]
			person.heading_y = heading[1]
	facing = []
	wanted = []
	mean = []
	for i in range(people.size()):
		_drive(place, people, cells, dt, i)
	if groups[0].collision_strategies:
		return _walk(place, people, dt)
	for i in range(people.size()):
		people[i].heading_x = facing[i][0]
		people[i].heading_y = facing[i][1]
	return wanted


# The five forces on one person, the highest speed and the turn limit.
func _drive(place, people, cells, dt, i):
	var me = people[i]
	var c = groups[me.group]
	var cap = me.top_speed(1.0)
	mean.append([me.vx, me.vy])
	if not me.walks or cap <= 0.0:
		facing.append([me.heading_x, me.heading_y])
		wanted.append([0.0, 0.0])
		return
	var sight = c.range_diameters * 2.0 * me.radius
	var view = cos(0.5 * c.field_of_view_deg * RADIAN) if c.field_of_view_deg < 360.0 else -2.0
	var count = 0.0
	var apart_x = 0.0
	var apart_y = 0.0
	var vel_x = 0.0
	var vel_y = 0.0
	var to_x = 0.0
	var to_y = 0.0
	for j in cells.around(me.x, me.y):
		var other = people[j]
		if j == i or not (groups[0].perceives == "all" or other.group == me.group):
			continue
		var wx = place.apart_x(me.x, other.x)
		var wy = place.apart_y(me.y, other.y)
		var d = sqrt(wx * wx + wy * wy)
		if d > sight:
			continue
		if d <= SAME_PLACE:
			var part = Crowd.parting(me.id, other.id)
			count += 1.0
			apart_x += part[0]
			apart_y += part[1]
			vel_x += other.vx
			vel_y += other.vy
		elif me.heading_x * wx + me.heading_y * wy >= view * d:
			count += 1.0
			# 1/d, relative to its value in contact.
			var share = 2.0 * me.radius / Place.upper(d * d, 2.0 * me.radius * d)
			apart_x -= wx * share
			apart_y -= wy * share
			vel_x += other.vx
			vel_y += other.vy
			to_x += wx
			to_y += wy
	var sum = c.attraction_weight + c.separation_weight + c.alignment_weight + c.cohesion_weight + c.repulsion_weight
	var gain = c.gain_m_per_s2 / sum if sum > 0.0 else 0.0
	var ax = 0.0
	var ay = 0.0
	if me.way_x != 0.0 or me.way_y != 0.0 or me.distance > 0.0:
		var speed = Place.lower(me.speed, cap) * Place.lower(me.distance / sight, 1.0)
		var force = Place.limited((me.way_x * speed - me.vx) * (0.5 / cap), (me.way_y * speed - me.vy) * (0.5 / cap), 1.0)
		ax += force[0] * (gain * c.attraction_weight)
		ay += force[1] * (gain * c.attraction_weight)
	if count > 0.0:
		var mx = vel_x * (1.0 / count)
		var my = vel_y * (1.0 / count)
		mean[i] = [mx, my]
		ax += apart_x * (1.0 / count) * (gain * c.separation_weight)
		ay += apart_y * (1.0 / count) * (gain * c.separation_weight)
		var force = Place.limited((mx - me.vx) * (0.5 / cap), (my - me.vy) * (0.5 / cap), 1.0)
		ax += force[0] * (gain * c.alignment_weight)
		ay += force[1] * (gain * c.alignment_weight)
		force = Place.limited(to_x * (1.0 / (count * sight)), to_y * (1.0 / (count * sight)), 1.0)
		ax += force[0] * (gain * c.cohesion_weight)
		ay += force[1] * (gain * c.cohesion_weight)
	var way = Place.unit(me.vx, me.vy)
	if c.repulsion_weight > 0.0 and (way[0] != 0.0 or way[1] != 0.0):
		var speed = sqrt(me.vx * me.vx + me.vy * me.vy)
		var free = _free_way(place, me, way, speed * c.look_ahead_s)
		if free >= 0.0:
			# A brake: it can stop people but not push them back.
			var push = -me.radius / Place.upper(free, me.radius) * gain * c.repulsion_weight
			var brake = Place.limited(way[0] * push, way[1] * push, speed / dt)
			ax += brake[0]
			ay += brake[1]
	var vel = Place.limited(me.vx + ax * dt, me.vy + ay * dt, cap)
	var now = _turned(me.heading_x, me.heading_y, vel[0], vel[1], _most(me, dt))
	facing.append(now[0])
	wanted.append(now[1])


# The largest turn of a step, radians.
func _most(person, dt):
	var c = groups[person.group]
	return c.turn_limit_deg * RADIAN / c.unit_time_s * dt


# Moves everybody one after the other: each sees the new places of those before.
func _walk(place, people, dt):
	_record(place, people)
	var fastest = 0.0
	var widest = 0.0
	var at = []
	for i in range(people.size()):
		fastest = Place.upper(fastest, _length(wanted[i][0], wanted[i][1]))
		widest = Place.upper(widest, people[i].radius)
		at.append([people[i].x, people[i].y])
	var next = []
	for i in range(people.size()):
		var me = people[i]
		var want = wanted[i]
		var heading = facing[i]
		var vel = want
		if want[0] != 0.0 or want[1] != 0.0:
			_find_close(place, people, at, me.radius + widest + groups[me.group].clearance_m + (_length(want[0], want[1]) + fastest) * dt, i)
			var hit = _hit(place, me, want[0], want[1], dt)
			if hit == Hit.PERSON:
				vel = _aligned(place, me, i, dt)
				if vel == null:
					vel = _best(place, me, i, dt, TURNS[groups[0].pedestrian_directions])
			elif hit == Hit.WALL:
				vel = _traced(place, me, i, dt)
				if vel == null:
					vel = _best(place, me, i, dt, TURNS[groups[0].wall_directions])
			if vel == null:
				vel = [0.0, 0.0]
			at[i] = [place.wrap_x(me.x + vel[0] * dt), place.wrap_y(me.y + vel[1] * dt)]
			# A sidestep turns the body no faster than the forces would; who is stopped keeps turning.
			var as_wanted = vel[0] == want[0] and vel[1] == want[1]
			if not as_wanted and (vel[0] != 0.0 or vel[1] != 0.0):
				heading = _turned(me.heading_x, me.heading_y, vel[0], vel[1], _most(me, dt))[0]
		me.heading_x = heading[0]
		me.heading_y = heading[1]
		next.append(vel)
	return next


# Adds a point to the trace of each group for every body width that its first member has walked.
func _record(place, people):
	for person in people:
		if not person.walks:
			continue
		if leaders[person.group] < 0:
			leaders[person.group] = person.id
		if leaders[person.group] != person.id:
			continue
		var points = traces[person.group]
		if points.size() > 0:
			var last = points[points.size() - 1]
			var walked = _length(place.apart_x(last[0], person.x), place.apart_y(last[1], person.y))
			if walked < 2.0 * person.radius:
				continue
		if points.size() == POINTS:
			points.pop_front()
		points.append([person.x, person.y])


# Lists who can be in the way of a step.
func _find_close(place, people, at, far, i):
	var me = people[i]
	var clearance = groups[me.group].clearance_m
	close = []
	for j in range(people.size()):
		if j == i:
			continue
		var other = people[j]
		var fx = place.apart_x(me.x, other.x)
		var fy = place.apart_y(me.y, other.y)
		if fx * fx + fy * fy > far * far:
			continue
		var wx = place.apart_x(me.x, at[j][0])
		var wy = place.apart_y(me.y, at[j][1])
		# The gap is kept to people ahead; of two people one is.
		var along = wx * (me.way_x + other.way_x) + wy * (me.way_y + other.way_y)
		var gap = clearance if along > 0.0 or (along == 0.0 and j < i) else 0.0
		close.append([me.x + wx, me.y + wy, Place.lower(me.radius + other.radius + gap - SLACK, _length(wx, wy))])


# What a step leads into, walls first.
func _hit(place, me, vx, vy, dt):
	var r = me.radius
	var wx = vx * dt
	var wy = vy * dt
	var tx = me.x + wx
	var ty = me.y + wy
	if place.crosses(me.x, me.y, tx, ty) or _gap(place, tx, ty, r) < Place.lower(_gap(place, me.x, me.y, r), r - SLACK):
		return Hit.WALL
	var jumps = _length(wx, wy) > r
	for one in close:
		if _length(one[0] - tx, one[1] - ty) < one[2]:
			return Hit.PERSON
		if jumps:
			var ax = one[0] - me.x
			var ay = one[1] - me.y
			var along = Place.lower(Place.upper((ax * wx + ay * wy) / (wx * wx + wy * wy), 0.0), 1.0)
			if _length(ax - wx * along, ay - wy * along) < one[2]:
				return Hit.PERSON
	return Hit.NOTHING


# True if a step is free and turns no farther than it may.
func _is_free(place, me, vx, vy, dt):
	if groups[0].strategies_respect_turn_limit:
		var way = Place.unit(vx, vy)
		var ahead = me.heading_x * way[0] + me.heading_y * way[1]
		if (way[0] == 0.0 and way[1] == 0.0) or ahead < cos(_most(me, dt)):
			return false
	return _hit(place, me, vx, vy, dt) == Hit.NOTHING


# The neighbors' mean velocity, no faster than wanted, if it leads on.
func _aligned(place, me, i, dt):
	var want = wanted[i]
	var speed = _length(want[0], want[1])
	var vel = Place.limited(mean[i][0], mean[i][1], speed)
	var leads = vel[0] * want[0] + vel[1] * want[1] >= LEAST_SHARE * speed * speed
	return vel if leads and _is_free(place, me, vel[0], vel[1], dt) else null


# The free one of some turns that leads farthest along the way; the first of equal ones.
func _best(place, me, i, dt, turns):
	var best = null
	var most = 0.0
	for turn in turns:
		var vel = _rotated(wanted[i][0], wanted[i][1], turn[0], turn[1])
		var gain = vel[0] * me.way_x + vel[1] * me.way_y
		if (best == null or gain > most) and _is_free(place, me, vel[0], vel[1], dt):
			best = vel
			most = gain
	return best


# Towards the newest point of the group's trace that is in sight and ahead.
func _traced(place, me, i, dt):
	if leaders[me.group] == me.id:
		return null
	var has_way = me.way_x != 0.0 or me.way_y != 0.0
	var ahead_x = me.way_x if has_way else me.heading_x
	var ahead_y = me.way_y if has_way else me.heading_y
	var sight = groups[me.group].range_diameters * 2.0 * me.radius
	var points = traces[me.group]
	for k in range(points.size() - 1, -1, -1):
		var wx = place.apart_x(me.x, points[k][0])
		var wy = place.apart_y(me.y, points[k][1])
		var d = _length(wx, wy)
		if d > sight or d < 2.0 * me.radius or wx * ahead_x + wy * ahead_y <= 0.0:
			continue
		if place.crosses(me.x, me.y, me.x + wx, me.y + wy):
			continue
		var share = _length(wanted[i][0], wanted[i][1]) / d
		return [wx * share, wy * share] if _is_free(place, me, wx * share, wy * share, dt) else null
	return null


# Along the velocity, else to the goal, else one direction for each id.
static func _first_heading(person):
	var way = Place.unit(person.vx, person.vy)
	if way[0] != 0.0 or way[1] != 0.0:
		return way
	if person.way_x != 0.0 or person.way_y != 0.0:
		return [person.way_x, person.way_y]
	return Crowd.parting(person.id, person.id + 1)


# Heading and velocity of who faces a heading and wants a velocity, but turns no farther than `most` radians. The part of the velocity beyond
# is lost; a turn right round goes left.
static func _turned(hx, hy, vx, vy, most):
	var to = Place.unit(vx, vy)
	if to[0] == 0.0 and to[1] == 0.0:
		return [[hx, hy], [0.0, 0.0]]
	if most >= PI or hx * to[0] + hy * to[1] >= cos(most):
		return [to, [vx, vy]]
	var side = -1.0 if hx * to[1] - hy * to[0] < 0.0 else 1.0
	var way = _rotated(hx, hy, cos(most), side * sin(most))
	way = Place.unit(way[0], way[1])
	var speed = Place.upper(vx * way[0] + vy * way[1], 0.0)
	return [way, [way[0] * speed, way[1] * speed]]


# (x, y) turned left by the angle of a unit vector.
static func _rotated(x, y, bx, by):
	return [x * bx - y * by, x * by + y * bx]


# How far a body can move in a direction before it meets a wall, m; -1 if it can go the whole length.
static func _free_way(place, me, way, far):
	var gone = 0.0
	for _move in range(MOVES):
		var look = Place.upper(Place.lower(far - gone, LOOK - me.radius), TOUCH)
		# A move brings no wall nearer than its own length.
		var gap = look
		var near = place.contacts(me.x + way[0] * gone, me.y + way[1] * gone, me.radius + look)
		for k in range(0, near.size(), 3):
			if way[0] * near[k + 1] + way[1] * near[k + 2] < -GRAZES:
				gap = Place.lower(gap, near[k] - me.radius)
		if gap <= TOUCH and gap < look:
			return gone
		gone += gap
		if gone >= far:
			return -1.0
	return gone


# Distance to the nearest wall, or the radius where that is less.
static func _gap(place, x, y, radius):
	var gap = radius
	var near = place.contacts(x, y, radius)
	for k in range(0, near.size(), 3):
		gap = Place.lower(gap, near[k])
	return gap


static func _length(x, y):
	return sqrt(x * x + y * y)
