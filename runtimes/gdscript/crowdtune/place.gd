# A place: walls, and the goals that people walk to. Meters; walls are lines that may meet at their ends and cross nowhere else.
# Points are two numbers, as Godot's vectors have single precision.

# Ends closer than this meet, m.
const MEET = 1e-9


class Wall:
	var ax
	var ay
	var bx
	var by
	# Unit vector from a to b.
	var ux
	var uy
	var length
	# Numbers of the corners at its ends.
	var ends


# One side of a wall, seen from its right; sides are linked into chains around what is solid.
class Edge:
	var fx
	var fy
	var tx
	var ty
	var ux
	var uy
	var before = 0
	var after = 0
	# True if the corner at its beginning is convex or straight.
	var convex = true


# Each a dictionary: `point` [x, y] and `radius`, `door` [a, b] and `out`, or `area` [[x, y], ...].
var goals = []
# Intervals [low, high] of x and y that are rings, or null: whoever leaves at one end comes back at the other.
var ring_x = null
var ring_y = null
var walls = []
# Both sides of wall i are edges 2 i and 2 i + 1.
var edges = []
# For each corner the walls that end there: [wall, end, away x, away y].
var corners = []
var corner_points = []


func setup(lines, all_goals, rings):
	goals = all_goals
	ring_x = rings[0]
	ring_y = rings[1]
	for line in lines:
		var wall = Wall.new()
		wall.ax = line[0][0]
		wall.ay = line[0][1]
		wall.bx = line[1][0]
		wall.by = line[1][1]
		var dx = wall.bx - wall.ax
		var dy = wall.by - wall.ay
		wall.length = sqrt(dx * dx + dy * dy)
		wall.ux = dx * (1.0 / wall.length)
		wall.uy = dy * (1.0 / wall.length)
		wall.ends = [_corner(wall.ax, wall.ay), _corner(wall.bx, wall.by)]
		corners[wall.ends[0]].append([walls.size(), 0, wall.ux, wall.uy])
		corners[wall.ends[1]].append([walls.size(), 1, -wall.ux, -wall.uy])
		walls.append(wall)
	_link()


func _corner(x, y):
	for i in range(corner_points.size()):
		var dx = x - corner_points[i][0]
		var dy = y - corner_points[i][1]
		if sqrt(dx * dx + dy * dy) <= MEET:
			return i
	corner_points.append([x, y])
	corners.append([])
	return corners.size() - 1


# At a corner the chain goes on with the next side to the left of where it came from.
func _link():
	for wall in walls:
		edges.append(_edge(wall.ax, wall.ay, wall.bx, wall.by, wall.ux, wall.uy))
		edges.append(_edge(wall.bx, wall.by, wall.ax, wall.ay, -wall.ux, -wall.uy))
	for arms in corners:
		var leaving = []
		for arm in arms:
			insert_sorted(leaving, _turn(arm[2], arm[3]), 2 * arm[0] + arm[1])
		for k in range(leaving.size()):
			var comes = edges[leaving[k][1] ^ 1]
			var number = leaving[(k + 1) % leaving.size()][1]
			var after = edges[number]
			comes.after = number
			after.before = leaving[k][1] ^ 1
			after.convex = comes.ux * after.uy - comes.uy * after.ux >= 0.0


func _edge(fx, fy, tx, ty, ux, uy):
	var edge = Edge.new()
	edge.fx = fx
	edge.fy = fy
	edge.tx = tx
	edge.ty = ty
	edge.ux = ux
	edge.uy = uy
	return edge


# Puts [key, number] into a list that ascends by key, then by number.
static func insert_sorted(list, key, number):
	var at = list.size()
	while at > 0 and (list[at - 1][0] > key or (list[at - 1][0] == key and list[at - 1][1] > number)):
		at -= 1
	list.insert(at, [key, number])


# Ascends with the angle of a unit vector from east, counterclockwise, from 0 to 4.
static func _turn(x, y):
	if y >= 0.0:
		return y if x >= 0.0 else 2.0 - y
	return 2.0 - y if x < 0.0 else 4.0 + y


func is_open():
	return ring_x == null and ring_y == null


# The way along x from one point to another, the shorter one in a ring.
func apart_x(from, to):
	return to - from if ring_x == null else _shorter(ring_x, to - from)


func apart_y(from, to):
	return to - from if ring_y == null else _shorter(ring_y, to - from)


static func _shorter(ring, way):
	var long = ring[1] - ring[0]
	if way > 0.5 * long:
		return way - long
	if way < -0.5 * long:
		return way + long
	return way


# The coordinate inside its ring.
func wrap_x(x):
	return x if ring_x == null else _wrapped(ring_x, x)


func wrap_y(y):
	return y if ring_y == null else _wrapped(ring_y, y)


static func _wrapped(ring, at):
	var low = ring[0]
	var high = ring[1]
	if at >= low and at < high:
		return at
	var inside = at - (high - low) * floor((at - low) / (high - low))
	# Rounding may leave it at the upper end, which is the lower one.
	return upper(inside, low) if inside < high else low


# Every point of a wall within `reach` of (x, y) that acts there, as distance and unit vector from the wall, one after the other: the
# nearest point of each wall, but a corner only where it is the nearest point of all walls that meet in it, and then once.
func contacts(x, y, reach):
	var found = []
	for i in range(walls.size()):
		var wall = walls[i]
		var dx = x - wall.ax
		var dy = y - wall.ay
		if abs(wall.ux * dy - wall.uy * dx) > reach:
			continue
		var t = dx * wall.ux + dy * wall.uy
		var px = wall.ax + wall.ux * t
		var py = wall.ay + wall.uy * t
		if t <= MEET or t >= wall.length - MEET:
			var corner = wall.ends[0 if t <= MEET else 1]
			if corners[corner][0][0] != i or _is_beside(corner, x, y):
				continue
			var first = corners[corner][0]
			var owner = walls[first[0]]
			px = owner.ax if first[1] == 0 else owner.bx
			py = owner.ay if first[1] == 0 else owner.by
		dx = x - px
		dy = y - py
		var distance = sqrt(dx * dx + dy * dy)
		if distance > reach:
			continue
		found.append(distance)
		if distance < MEET:
			found.append(-wall.uy)
			found.append(wall.ux)
		else:
			found.append(dx * (1.0 / distance))
			found.append(dy * (1.0 / distance))
	return found


# True if a wall that ends in the corner has a point that is nearer.
func _is_beside(corner, x, y):
	for arm in corners[corner]:
		var wall = walls[arm[0]]
		var ax = wall.ax if arm[1] == 0 else wall.bx
		var ay = wall.ay if arm[1] == 0 else wall.by
		if (x - ax) * arm[2] + (y - ay) * arm[3] > MEET:
			return true
	return false


# True if a straight step crosses a wall.
func crosses(fx, fy, tx, ty):
	for wall in walls:
		var s = wall.ux * (fy - wall.ay) - wall.uy * (fx - wall.ax)
		var e = wall.ux * (ty - wall.ay) - wall.uy * (tx - wall.ax)
		if (s >= 0.0) == (e >= 0.0):
			continue
		var share = s / (s - e)
		var px = fx + (tx - fx) * share - wall.ax
		var py = fy + (ty - fy) * share - wall.ay
		var t = px * wall.ux + py * wall.uy
		if t >= -MEET and t <= wall.length + MEET:
			return true
	return false


# Unit vector from (x, y) to a goal for a body of this radius: to a point, to the nearest point of an area, to a door as far from its posts
# as the body is wide; straight out on a door's line and past it, zero where the goal is reached.
func toward(number, x, y, radius):
	var goal = goals[number]
	if goal.has("point"):
		var dx = goal.point[0] - x
		var dy = goal.point[1] - y
		return [0.0, 0.0] if sqrt(dx * dx + dy * dy) <= goal.radius else unit(dx, dy)
	if goal.has("area"):
		var q = _nearest_of_area(goal.area, x, y)
		return unit(q[0] - x, q[1] - y)
	if _is_past(goal, x, y, -1e-6, radius):
		return goal.out
	var a = goal.door[0]
	var wide = _length(goal.door)
	var along = unit(goal.door[1][0] - a[0], goal.door[1][1] - a[1])
	var t = 0.5 * wide
	if wide > 2.0 * radius:
		t = lower(upper((x - a[0]) * along[0] + (y - a[1]) * along[1], radius), wide - radius)
	return unit(a[0] + along[0] * t - x, a[1] + along[1] * t - y)


# Straight distance from (x, y) to the nearest point of a goal, m; 0 past a door and inside an area.
func distance(number, x, y):
	var goal = goals[number]
	var q
	if goal.has("point"):
		q = goal.point
	elif goal.has("area"):
		q = _nearest_of_area(goal.area, x, y)
	elif _is_past(goal, x, y, 0.0, 0.0):
		return 0.0
	else:
		q = _nearest(goal.door[0], goal.door[1], x, y)
	return sqrt((q[0] - x) * (q[0] - x) + (q[1] - y) * (q[1] - y))


# True if a step takes a body of this radius to a goal.
func is_reached(number, fx, fy, tx, ty, radius):
	var goal = goals[number]
	if goal.has("point"):
		var q = _nearest([fx, fy], [tx, ty], goal.point[0], goal.point[1])
		var dx = q[0] - goal.point[0]
		var dy = q[1] - goal.point[1]
		return sqrt(dx * dx + dy * dy) <= goal.radius
	if goal.has("area"):
		return _is_inside(goal.area, tx, ty)
	var a = goal.door[0]
	var before = (fx - a[0]) * goal.out[0] + (fy - a[1]) * goal.out[1]
	var after = (tx - a[0]) * goal.out[0] + (ty - a[1]) * goal.out[1]
	if after < radius:
		return false
	# Level with the door at the end, or while the body got through the line.
	if _is_past(goal, tx, ty, radius, radius):
		return true
	if before >= radius:
		return false
	var share = (radius - before) / (after - before)
	return _is_past(goal, fx + (tx - fx) * share, fy + (ty - fy) * share, 0.0, radius)


# True at least `depth` past a door, level with it or up to `beside` to its side, with no wall in between.
func _is_past(goal, x, y, depth, beside):
	var a = goal.door[0]
	var wide = _length(goal.door)
	var along = unit(goal.door[1][0] - a[0], goal.door[1][1] - a[1])
	var t = (x - a[0]) * along[0] + (y - a[1]) * along[1]
	var deep = (x - a[0]) * goal.out[0] + (y - a[1]) * goal.out[1]
	if deep < depth or t < -beside or t > wide + beside:
		return false
	t = lower(upper(t, 0.0), wide)
	var nx = a[0] + along[0] * t
	var ny = a[1] + along[1] * t
	return not crosses(x, y, x + (nx - x) * (1.0 - 1e-6), y + (ny - y) * (1.0 - 1e-6))


static func _length(door):
	var dx = door[1][0] - door[0][0]
	var dy = door[1][1] - door[0][1]
	return sqrt(dx * dx + dy * dy)


# The lower and the upper of two numbers: Godot 3 has `min` and `max` in single precision.
static func lower(a, b):
	return a if a < b else b


static func upper(a, b):
	return a if a > b else b


# Of length 1; zero for what is shorter than 1e-12.
static func unit(x, y):
	var length = sqrt(x * x + y * y)
	return [x * (1.0 / length), y * (1.0 / length)] if length > 1e-12 else [0.0, 0.0]


# Cut to a length of `most`.
static func limited(x, y, most):
	var length2 = x * x + y * y
	if length2 <= most * most:
		return [x, y]
	var share = most / sqrt(length2)
	return [x * share, y * share]


# The point of a line from a to b that is nearest to (x, y).
static func _nearest(a, b, x, y):
	var wx = b[0] - a[0]
	var wy = b[1] - a[1]
	var length2 = wx * wx + wy * wy
	if length2 <= 0.0:
		return a
	var t = ((x - a[0]) * wx + (y - a[1]) * wy) / length2
	if t <= 0.0:
		return a
	return b if t >= 1.0 else [a[0] + wx * t, a[1] + wy * t]


static func _nearest_of_area(points, x, y):
	if _is_inside(points, x, y):
		return [x, y]
	var best = [x, y]
	var best2 = INF
	for i in range(points.size()):
		var q = _nearest(points[i], points[(i + 1) % points.size()], x, y)
		var d2 = (x - q[0]) * (x - q[0]) + (y - q[1]) * (y - q[1])
		if d2 < best2:
			best = q
			best2 = d2
	return best


# True inside an outline, by the even-odd rule.
static func _is_inside(points, x, y):
	var inside = false
	for i in range(points.size()):
		var a = points[i]
		var b = points[(i + 1) % points.size()]
		if (a[1] <= y) != (b[1] <= y):
			var low = a if a[1] < b[1] else b
			var high = b if a[1] < b[1] else a
			# Seen from the lower end, as the reference does.
			var side = (high[0] - low[0]) * (y - low[1]) - (high[1] - low[1]) * (x - low[0])
			if side > 0.0:
				inside = not inside
	return inside
