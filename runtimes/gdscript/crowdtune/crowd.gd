# People in a place, and one step of time: everybody picks a way, the model gives velocities, people move and leave.

const Place = preload("place.gd")

# Time to walk the last meter to a point, s, so that nobody walks past it.
const ARRIVE_S = 1.0


class Person:
	# Never used again.
	var id
	# Number of the group.
	var group
	# How many of the group were there before; picks the goal where each has their own.
	var rank
	# Center of the body, m, and velocity, m/s.
	var x
	var y
	var vx
	var vy
	var radius
	var mass
	# Speed that the person wants, and the highest one, m/s; infinite for none.
	var speed
	var max_speed
	# Starts to walk then, s.
	var start
	# Stages of the journey that are done.
	var stage = 0
	# False before the start.
	var walks = false
	# Unit vector to where the person wants to go; zero for nowhere.
	var way_x = 0.0
	var way_y = 0.0
	# How far it is to where the person will stop, m; infinite for who will not stop.
	var distance = 0.0
	# Where the person faces; zero before the first step.
	var heading_x = 0.0
	var heading_y = 0.0

	# Highest speed, m/s: the own one, or so many times the desired one.
	func top_speed(factor):
		return max_speed if max_speed < INF else factor * speed

	# The speed with nobody in the way, m/s.
	func preferred_speed():
		return Place.lower(speed, distance / ARRIVE_S)


# Who is in which square, so that neighbors are found without asking everybody.
class Cells:
	var size
	var corner_x
	var corner_y
	var columns
	var rows
	var cells

	# Sorts everybody into squares at least `reach` wide.
	func fill(people, reach):
		corner_x = people[0].x if people.size() > 0 else 0.0
		corner_y = people[0].y if people.size() > 0 else 0.0
		var high_x = corner_x
		var high_y = corner_y
		for person in people:
			corner_x = Place.lower(corner_x, person.x)
			corner_y = Place.lower(corner_y, person.y)
			high_x = Place.upper(high_x, person.x)
			high_y = Place.upper(high_y, person.y)
		size = Place.upper(reach, 0.1)
		while true:
			columns = int((high_x - corner_x) / size) + 1
			rows = int((high_y - corner_y) / size) + 1
			# A few people in a large place need no million of cells.
			if columns * rows <= 4 * people.size() + 64:
				break
			size *= 2.0
		cells = []
		for _cell in range(columns * rows):
			cells.append([])
		for i in range(people.size()):
			var row = int((people[i].y - corner_y) / size)
			var column = int((people[i].x - corner_x) / size)
			cells[row * columns + column].append(i)

	# The numbers of everybody in the squares around (x, y), row by row: all within the reach and some beyond.
	func around(x, y):
		var column = int((x - corner_x) / size)
		var row = int((y - corner_y) / size)
		var found = []
		for r in range(int(Place.upper(row - 1, 0)), int(Place.lower(row + 1, rows - 1)) + 1):
			for c in range(int(Place.upper(column - 1, 0)), int(Place.lower(column + 1, columns - 1)) + 1):
				found += cells[r * columns + c]
		return found


var place
# Each a dictionary: `stages` (lists of goals), `own_goals`, `rounds`, `heading` [x, y] or null, `stay` {at, radius} or null.
var groups = []
# Who is there, in the order of ids.
var people = []
var model
# Step, s.
var dt
# Simulated time, s.
var time = 0.0
var steps = 0
# Ways of your own (a navigation mesh): an object with a method `way(person, place)` that gives a unit vector [x, y], or null for straight
# to the goal.
var find_way = null
var cells = Cells.new()


# One step of `dt` seconds.
func step():
	for person in people:
		_look_ahead(person)
	# Across the seam of a ring anybody may be near: one square for all.
	cells.fill(people, model.reach(people) if place.is_open() else 1e12)
	var next = model.steer(place, people, cells, dt)
	steps += 1
	time = steps * dt
	_move_all(next)


# Where somebody wants to go now, and how far it is.
func _look_ahead(person):
	var group = groups[person.group]
	person.walks = person.walks or person.start <= time
	var way = [0.0, 0.0]
	person.distance = 0.0
	var goal = _chosen(group, person)
	if goal >= 0:
		way = place.toward(goal, person.x, person.y, person.radius)
		var stops = person.stage + 1 == group.stages.size() and place.goals[goal].has("point")
		person.distance = place.distance(goal, person.x, person.y) if stops else INF
	elif group.heading != null:
		way = group.heading
		person.distance = INF
	elif group.stay != null:
		var dx = place.apart_x(person.x, group.stay.at[0])
		var dy = place.apart_y(person.y, group.stay.at[1])
		person.distance = sqrt(dx * dx + dy * dy)
		if person.distance > group.stay.radius:
			way = place.unit(dx, dy)
	if find_way != null:
		var own = find_way.way(person, place)
		if own != null:
			way = own
	person.way_x = way[0] if person.walks else 0.0
	person.way_y = way[1] if person.walks else 0.0


# Moves everybody; who has reached the last goal leaves.
func _move_all(next):
	var stay = []
	for row in range(people.size()):
		var person = people[row]
		var fx = person.x
		var fy = person.y
		var tx = fx + next[row][0] * dt
		var ty = fy + next[row][1] * dt
		person.x = place.wrap_x(tx)
		person.y = place.wrap_y(ty)
		person.vx = next[row][0]
		person.vy = next[row][1]
		var group = groups[person.group]
		var reached = false
		for goal in _choice(group, person):
			reached = reached or place.is_reached(goal, fx, fy, tx, ty, person.radius)
		if reached:
			person.stage += 1
			if person.stage == group.stages.size() and group.rounds:
				person.stage = 0
		if not reached or person.stage < group.stages.size():
			stay.append(person)
	people = stay


# Goals that somebody can choose from now.
func _choice(group, person):
	if person.stage >= group.stages.size():
		return []
	var stage = group.stages[person.stage]
	return [stage[person.rank % stage.size()]] if group.own_goals else stage


# The nearest of them, or -1.
func _chosen(group, person):
	var best = -1
	var least = INF
	for goal in _choice(group, person):
		var distance = place.distance(goal, person.x, person.y)
		if best < 0 or distance < least:
			best = goal
			least = distance
	return best


# Direction in which two people at the same place part; opposite for the two.
static func parting(id, other):
	# The golden angle spreads pairs over all directions.
	var angle = 2.399963229728653 * (id + other)
	return [cos(angle), sin(angle)] if id < other else [-cos(angle), -sin(angle)]
