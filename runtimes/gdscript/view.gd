# Draws a crowd from above and walks it; the same for Godot 3 and 4. What differs between them is in scene.gd.
extends Node2D

const Loader = preload("crowdtune/loader.gd")
# Colors of groups that people with any color vision can tell apart (Okabe and Ito, 2008).
const COLORS = ["0072b2", "d55e00", "009e73", "cc79a7", "e69f00", "56b4e9"]
# A window that stood still does not catch up with more than this, s.
const MOST_BEHIND_S = 0.25
const MARGIN_M = 1.0

var place
var crowd
# What is drawn, m.
var box
var behind = 0.0


# Shows the crowd; with the word `--walk=60` it walks without a window, as fast as it can.
func start(preset, in_place, words):
	var loader = Loader.new()
	place = in_place
	crowd = loader.crowd(preset, place)
	if crowd == null:
		push_error(loader.error)
		get_tree().quit()
		return
	box = _bounds()
	for word in words:
		if word.begins_with("--walk="):
			_walk(float(word.substr(7)))
			get_tree().quit()


# Draws anew.
func redraw():
	pass


# Writes lines to a file.
func save(_name, _rows):
	pass


# The first place*.json of some names.
func first_place(names):
	var first = ""
	for name in names:
		if name.begins_with("place") and name.ends_with(".json") and (first == "" or name < first):
			first = name
	return first


# A ring from end to end, else walls and people with a meter around them.
func _bounds():
	var low = Vector2(INF, INF)
	var high = Vector2(-INF, -INF)
	var points = []
	for wall in place.walls:
		points += wall
	for person in crowd.people:
		points.append([person.x, person.y])
	for p in points:
		low = Vector2(min(low.x, p[0]), min(low.y, p[1]))
		high = Vector2(max(high.x, p[0]), max(high.y, p[1]))
	low -= Vector2(MARGIN_M, MARGIN_M)
	high += Vector2(MARGIN_M, MARGIN_M)
	if crowd.place.ring_x != null:
		low.x = crowd.place.ring_x[0]
		high.x = crowd.place.ring_x[1]
	if crowd.place.ring_y != null:
		low.y = crowd.place.ring_y[0]
		high.y = crowd.place.ring_y[1]
	return Rect2(low, high - low)


func _process(delta):
	if crowd == null:
		return
	behind += min(delta, MOST_BEHIND_S)
	while behind >= crowd.dt and crowd.people.size() > 0:
		crowd.step()
		behind -= crowd.dt
	redraw()


func _draw():
	if crowd == null:
		return
	var window = get_viewport_rect().size
	var zoom = min(window.x / box.size.x, window.y / box.size.y)
	var middle = box.position + box.size / 2.0
	# Meters, y up.
	draw_set_transform(window / 2.0 - Vector2(middle.x, -middle.y) * zoom, 0.0, Vector2(zoom, -zoom))
	for goal in place.goals:
		if goal.has("door"):
			draw_line(_point(goal.door[0]), _point(goal.door[1]), Color("8a8f98"), 0.1)
		elif goal.has("area"):
			for i in range(goal.area.size()):
				draw_line(_point(goal.area[i]), _point(goal.area[(i + 1) % goal.area.size()]), Color("8a8f98"), 0.1)
		else:
			draw_arc(_point(goal.point), goal.radius_m, 0.0, TAU, 32, Color("8a8f98"), 0.1)
	for wall in place.walls:
		draw_line(_point(wall[0]), _point(wall[1]), Color("d5d9df"), 0.1)
	for person in crowd.people:
		draw_circle(Vector2(person.x, person.y), person.radius, Color(COLORS[person.group % COLORS.size()]))


func _point(p):
	return Vector2(p[0], p[1])


# Writes where everybody was, as PedPy reads it.
func _walk(seconds):
	var all = crowd.people.size()
	var rows = ["# framerate: %s fps" % str(1.0 / crowd.dt), "# x/y/z in m", "# id frame x y z"]
	while crowd.time < seconds and crowd.people.size() > 0:
		for person in crowd.people:
			rows.append("%d %d %.4f %.4f 0.0" % [person.id, crowd.steps, person.x, person.y])
		crowd.step()
	save("res://tracks.txt", rows)
	print("%d of %d people left within %.1f s; tracks.txt has everybody's way" % [all - crowd.people.size(), all, crowd.time])
