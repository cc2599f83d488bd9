# van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance (2011): the velocity nearest to the preferred one that stays free of
# collisions for some time, provided that all share the avoidance.
#
# Velocities to the left of a line are allowed. A line is [offset to the left of velocity 0 (m/s), x of its direction, y of it].

const Crowd = preload("crowd.gd")
const Place = preload("place.gd")

# Sine below which two lines are parallel.
const PARALLEL = 1e-5
# Beyond any speed, m/s: the offset of a line that forbids nothing.
const FAR = 1e6
# Nearer people are at the same place, m.
const SAME_PLACE = 1e-4
# How much faster than allowed a step may approach a wall, m/s: rounding.
const SLACK = 1e-9

# Constants by group.
var groups = []


# How far people see each other, m.
func reach(_people):
	var far = 0.0
	for c in groups:
		far = Place.upper(far, c.neighbor_distance_m)
	return far


# Velocities of the next step.
func steer(place, people, cells, dt):
	var next = []
	for i in range(people.size()):
		var me = people[i]
		var c = groups[me.group]
		var most = me.top_speed(c.max_speed_factor)
		if most <= 0.0:
			next.append([0.0, 0.0])
			continue
		var lines = _bound_by_walls(place, me, c, most, dt)
		var hard = lines.size()
		_bound_by_people(lines, place, people, cells, dt, i)
		var speed = me.preferred_speed()
		var vel = _solve(lines, hard, most, [me.way_x * speed, me.way_y * speed])
		next.append(_keep_off(place, me, vel, dt))
	return next


static func _through(px, py, ux, uy):
	return [ux * py - uy * px, ux, uy]


# How far a velocity is on the wrong side of a line, m/s.
static func _beyond(line, x, y):
	return line[0] - (line[1] * y - line[2] * x)


# A line for each wall that would be hit within the horizon, nearest first.
func _bound_by_walls(place, me, c, most, dt):
	var lines = []
	var radius = me.radius + c.margin_m
	var ahead = Place.upper(c.obstacle_time_horizon_s, dt)
	var per = 1.0 / ahead
	var far = radius + most * ahead
	var near = []
	for wall in range(place.walls.size()):
		var edge = place.edges[2 * wall]
		var wx = me.x - edge.fx
		var wy = me.y - edge.fy
		var side = edge.ux * wy - edge.uy * wx
		var t = wx * edge.ux + wy * edge.uy
		var length = (edge.tx - edge.fx) * edge.ux + (edge.ty - edge.fy) * edge.uy
		var beside = t - Place.lower(Place.upper(t, 0.0), length)
		var d2 = side * side + beside * beside
		if d2 <= far * far:
			Place.insert_sorted(near, d2, 2 * wall + (1 if side > 0.0 else 0))
	for one in near:
		var edge = place.edges[one[1]]
		# Covered if both ends, grown by the body, are on the wrong side of one line.
		var fx = (edge.fx - me.x) * per
		var fy = (edge.fy - me.y) * per
		var tx = (edge.tx - me.x) * per
		var ty = (edge.ty - me.y) * per
		var least = radius * per - 1e-5
		var covered = false
		for line in lines:
			if _beyond(line, fx, fy) >= least and _beyond(line, tx, ty) >= least:
				covered = true
				break
		if not covered:
			var line = _wall_line(place, one[1], me, radius, per)
			if line != null:
				lines.append(line)
	return lines


# Adds a line for each of the nearest people.
func _bound_by_people(lines, place, people, cells, dt, i):
	var me = people[i]
	var c = groups[me.group]
	var near = []
	for j in cells.around(me.x, me.y):
		var dx = place.apart_x(me.x, people[j].x)
		var dy = place.apart_y(me.y, people[j].y)
		var d2 = dx * dx + dy * dy
		if j == i or d2 >= c.neighbor_distance_m * c.neighbor_distance_m or c.max_neighbors < 1:
			continue
		# Kept in order; of equally near people the first stays in front.
		if near.size() >= c.max_neighbors:
			if d2 >= near[near.size() - 1][0]:
				continue
			near.pop_back()
		var at = near.size()
		while at > 0 and d2 < near[at - 1][0]:
			at -= 1
		near.insert(at, [d2, j])
	for one in near:
		var other = people[one[1]]
		var sum = c.responsibility + groups[other.group].responsibility
		var share = c.responsibility / sum if groups.size() > 1 and sum > 0.0 else 0.5
		if share > 0.0:
			var wx = place.apart_x(me.x, other.x)
			var wy = place.apart_y(me.y, other.y)
			lines.append(_person_line(me, other, wx, wy, me.radius + c.margin_m, Place.upper(c.time_horizon_s, dt), share, dt))


# The velocity nearest to the wish that all lines allow, no faster than `most`; or the one that violates the lines of people least.
static func _solve(lines, hard, most, wish):
	var result = _plane(lines, most, wish, Place.limited(wish[0], wish[1], most), false)
	var v = result[0]
	var stopped = result[1]
	var wrong = 0.0
	for at in range(stopped, lines.size()):
		var line = lines[at]
		if _beyond(line, v[0], v[1]) <= wrong:
			continue
		var spare = []
		for k in range(at):
			var other = lines[k]
			if k < hard:
				spare.append(other)
				continue
			# The line on which both are violated equally; of parallel ones that face the same way none is before the other.
			var wx = other[1] - line[1]
			var wy = other[2] - line[2]
			var length2 = wx * wx + wy * wy
			if length2 <= PARALLEL * PARALLEL:
				spare.append([-FAR, 1.0, 0.0])
			else:
				var per = 1.0 / sqrt(length2)
				spare.append([(other[0] - line[0]) * per, wx * per, wy * per])
		var way = [-line[2], line[1]]
		result = _plane(spare, most, way, [way[0] * most, way[1] * most], true)
		# Stopped early only by rounding: then the velocity so far stays.
		if result[1] == spare.size():
			v = result[0]
		wrong = _beyond(line, v[0], v[1])
	return v


# The best velocity for all lines and their number, or for those before the first that leaves nothing, and its number. Best is nearest to
# `want`, or with `toward` farthest in its direction.
static func _plane(lines, most, want, start, toward):
	var v = start
	for at in range(lines.size()):
		if _beyond(lines[at], v[0], v[1]) > 0.0:
			var best = _best_on_line(lines, at, most, want, toward)
			if best == null:
				return [v, at]
			v = best
	return [v, lines.size()]


# The best point of a line given those before it.
static func _best_on_line(lines, at, most, want, toward):
	var offset = lines[at][0]
	var ux = lines[at][1]
	var uy = lines[at][2]
	var space = most * most - offset * offset
	if space < 0.0:
		return null
	var first = -sqrt(space)
	var last = sqrt(space)
	for k in range(at):
		var other = lines[k]
		var sine = ux * other[2] - uy * other[1]
		var gap = offset * (ux * other[1] + uy * other[2]) - other[0]
		if abs(sine) <= PARALLEL:
			if gap < 0.0:
				return null
		elif sine > 0.0:
			last = Place.lower(last, gap / sine)
		else:
			first = Place.upper(first, gap / sine)
	if first > last:
		return null
	var t = ux * want[0] + uy * want[1]
	if toward:
		t = last if t > 0.0 else first
	else:
		t = Place.lower(Place.upper(t, first), last)
	return [ux * t - uy * offset, uy * t + ux * offset]


# The line due to somebody else: half of the smallest change (or another share of it) that keeps two bodies apart for the horizon.
static func _person_line(me, other, wx, wy, radius, horizon, share, dt):
	var vx = me.vx - other.vx
	var vy = me.vy - other.vy
	var touch = radius + other.radius
	var d2 = wx * wx + wy * wy
	var touch2 = touch * touch
	var per = 1.0 / horizon if d2 > touch2 else 1.0 / dt
	var ux = vx - wx * per
	var uy = vy - wy * per
	var u2 = ux * ux + uy * uy
	var on_way = ux * wx + uy * wy
	if u2 <= 1e-14:
		# In the very middle: straight apart.
		var d = sqrt(d2)
		var out = [wx * (-1.0 / d), wy * (-1.0 / d)] if d > SAME_PLACE else Crowd.parting(me.id, other.id)
		var half = touch * per * share
		return _through(me.vx + out[0] * half, me.vy + out[1] * half, out[1], -out[0])
	if d2 <= touch2 or (on_way < 0.0 and on_way * on_way > touch2 * u2):
		var length = sqrt(u2)
		var ox = ux * (1.0 / length)
		var oy = uy * (1.0 / length)
		var half = (touch * per - length) * share
		return _through(me.vx + ox * half, me.vy + oy * half, oy, -ox)
	var leg = sqrt(d2 - touch2)
	if wx * uy - wy * ux <= 0.0:
		leg = -leg
	var ax = (wx * leg - wy * touch) * (1.0 / d2)
	var ay = (wy * leg + wx * touch) * (1.0 / d2)
	var along = vx * ax + vy * ay
	return _through(me.vx + (ax * along - vx) * share, me.vy + (ay * along - vy) * share, ax, ay)


# The line due to one side of a wall; null if a neighboring side sets it.
static func _wall_line(place, number, me, r, per):
	var seen = place.edges[number]
	var left = seen
	var right = place.edges[seen.after]
	var lx = left.fx - me.x
	var ly = left.fy - me.y
	var rx = seen.tx - me.x
	var ry = seen.ty - me.y
	var left2 = lx * lx + ly * ly
	var right2 = rx * rx + ry * ry
	var r2 = r * r
	var length = sqrt((seen.tx - seen.fx) * (seen.tx - seen.fx) + (seen.ty - seen.fy) * (seen.ty - seen.fy))
	var t = -(lx * seen.ux + ly * seen.uy) / length
	var aside = seen.ux * ly - seen.uy * lx
	var in_line = aside * aside <= r2
	# In contact: no nearer.
	if t < 0.0 and left2 <= r2:
		return _off_end(lx, ly, seen) if left.convex else null
	if t > 1.0 and right2 <= r2:
		return _off_end(rx, ry, seen) if right.convex and rx * right.uy - ry * right.ux >= 0.0 else null
	if t >= 0.0 and t <= 1.0 and in_line:
		return _through(0.0, 0.0, -seen.ux, -seen.uy)
	# Directions that pass on the left and on the right; at a concave corner the wall itself.
	var left_leg = [-seen.ux, -seen.uy]
	var right_leg = [seen.ux, seen.uy]
	# The ends that these legs pass.
	var la = [lx, ly]
	var ra = [rx, ry]
	if in_line and t < 0.0:
		# Seen end-on: the near end hides the rest.
		if not left.convex:
			return null
		right = left
		ra = la
		left_leg = _leg(lx, ly, left2, r, 1.0)
		right_leg = _leg(lx, ly, left2, r, -1.0)
	elif in_line:
		if not right.convex:
			return null
		left = right
		la = ra
		left_leg = _leg(rx, ry, right2, r, 1.0)
		right_leg = _leg(rx, ry, right2, r, -1.0)
	else:
		if left.convex:
			left_leg = _leg(lx, ly, left2, r, 1.0)
		if right.convex:
			right_leg = _leg(rx, ry, right2, r, -1.0)
	# A leg into the neighboring side is left to that side.
	var before = place.edges[left.before]
	var left_foreign = left.convex and left_leg[0] * -before.uy - left_leg[1] * -before.ux >= 0.0
	if left_foreign:
		left_leg = [-before.ux, -before.uy]
	var right_foreign = right.convex and right_leg[0] * right.uy - right_leg[1] * right.ux <= 0.0
	if right_foreign:
		right_leg = [right.ux, right.uy]
	# The nearest point of the velocity obstacle: on the cut between the ends, at a round end, or on a leg.
	var lex = la[0] * per
	var ley = la[1] * per
	var rex = ra[0] * per
	var rey = ra[1] * per
	var flx = me.vx - lex
	var fly = me.vy - ley
	var frx = me.vx - rex
	var fry = me.vy - rey
	var bx = rex - lex
	var by = rey - ley
	t = 0.5 if in_line else (flx * bx + fly * by) / (bx * bx + by * by)
	var on_left = flx * left_leg[0] + fly * left_leg[1]
	var on_right = frx * right_leg[0] + fry * right_leg[1]
	if (t < 0.0 and on_left < 0.0) or (in_line and on_left < 0.0 and on_right < 0.0):
		return _round_end(flx, fly, lex, ley, r * per, lx, ly)
	if t > 1.0 and on_right < 0.0:
		return _round_end(frx, fry, rex, rey, r * per, rx, ry)
	var cut2 = INF
	if t >= 0.0 and t <= 1.0 and not in_line:
		cut2 = (flx - bx * t) * (flx - bx * t) + (fly - by * t) * (fly - by * t)
	var off_left2 = INF
	if on_left >= 0.0:
		var ox = flx - left_leg[0] * on_left
		var oy = fly - left_leg[1] * on_left
		off_left2 = ox * ox + oy * oy
	var off_right2 = INF
	if on_right >= 0.0:
		var ox = frx - right_leg[0] * on_right
		var oy = fry - right_leg[1] * on_right
		off_right2 = ox * ox + oy * oy
	if cut2 <= off_left2 and cut2 <= off_right2:
		return _shifted(lex, ley, -left.ux, -left.uy, r * per)
	if off_left2 <= off_right2:
		return null if left_foreign else _shifted(lex, ley, left_leg[0], left_leg[1], r * per)
	return null if right_foreign else _shifted(rex, rey, -right_leg[0], -right_leg[1], r * per)


static func _shifted(x, y, ux, uy, swollen):
	return _through(x - uy * swollen, y + ux * swollen, ux, uy)


# The line for a body that touches an end.
static func _off_end(x, y, edge):
	var along = Place.unit(-y, x)
	if along[0] == 0.0 and along[1] == 0.0:
		along = [-edge.ux, -edge.uy]
	return _through(0.0, 0.0, along[0], along[1])


# The line at the round end of a velocity obstacle.
static func _round_end(fx, fy, ex, ey, swollen, tx, ty):
	var out = Place.unit(fx, fy)
	if out[0] == 0.0 and out[1] == 0.0:
		out = Place.unit(-tx, -ty)
	return _through(ex + out[0] * swollen, ey + out[1] * swollen, out[1], -out[0])


# The direction that passes an end of a grown wall on its left (side 1) or on its right (-1).
static func _leg(x, y, distance2, radius, side):
	var along = sqrt(Place.upper(distance2 - radius * radius, 0.0))
	return [(x * along - side * y * radius) * (1.0 / distance2), (y * along + side * x * radius) * (1.0 / distance2)]


# The velocity without what leads nearer to a wall than the body is wide; zero if nothing is left.
static func _keep_off(place, me, wanted, dt):
	var vx = wanted[0]
	var vy = wanted[1]
	var far = me.radius + sqrt(vx * vx + vy * vy) * dt
	for _round in range(4):
		var turned = false
		var near = place.contacts(me.x, me.y, far)
		for k in range(0, near.size(), 3):
			var into = -(vx * near[k + 1] + vy * near[k + 2]) - Place.upper(near[k] - me.radius, 0.0) / dt
			if into > SLACK:
				vx += near[k + 1] * into
				vy += near[k + 2] * into
				turned = true
		if not turned:
			return [0.0, 0.0] if place.crosses(me.x, me.y, me.x + vx * dt, me.y + vy * dt) else [vx, vy]
	return [0.0, 0.0]
