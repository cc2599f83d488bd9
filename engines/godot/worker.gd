# A worker for crowdtune: people as kinematic bodies of Godot's 2D physics. They steer to their goal and apart, and
# slide along walls and along each other. Godot cannot read a pipe, so the messages come over TCP.
extends SceneTree

const STEP_S = 0.05 # as --fixed-fps 20 of the command in experiment.toml
const SCALE = 100.0 # pixels per meter
const PARAMETERS = [
	"separation_weight", "neighbor_distance_m", "relaxation_time_s", "body_scale", "noise_m_per_s2", "max_slides"]

const CANNOT = ["inflow", "rounds", "no_goal", "later_starts", "periodic"]

var peer = StreamPeerTCP.new()
var scenarios = {}
var folder = ""
var request = null
var place = null
var people = []
var rows = []
var times = []
var step = 0
var chance = RandomNumberGenerator.new()


func _init():
	var address = OS.get_environment("CROWDTUNE_ENGINE_ADDRESS").split(":")
	peer.connect_to_host(address[0], int(address[1]))
	while peer.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		OS.delay_msec(1)
	peer.set_no_delay(true)
	send({"token": OS.get_environment("CROWDTUNE_ENGINE_TOKEN")})
	var hello = JSON.parse(read_line()).result["hello"]
	folder = hello["folder"]
	for scenario in hello["scenarios"]:
		scenarios[scenario["name"]] = scenario
	send({"protocol": 1, "engine": "godot", "version": Engine.get_version_info()["string"], "parameters": PARAMETERS,
		"people": true, "cannot": CANNOT})


func send(message):
	peer.put_data((JSON.print(message) + "\n").to_utf8())


func read_line():
	var bytes = PoolByteArray()
	while true:
		var got = peer.get_data(1) # waits; an error once crowdtune has hung up
		if got[0] != OK:
			return ""
		if got[1][0] == 10:
			return bytes.get_string_from_utf8()
		bytes.append(got[1][0])


# Points of each part of a WKT geometry, in pixels.
func parts(wkt):
	var found = []
	for part in wkt.split("("):
		var points = []
		for pair in part.split(")")[0].split(","):
			var words = pair.strip_edges().split(" ")
			if words.size() == 2 and words[0].is_valid_float():
				points.append(Vector2(float(words[0]), float(words[1])) * SCALE)
		if points.size() > 0:
			found.append(points)
	return found


func start(scenario):
	place = Node2D.new()
	get_root().add_child(place)
	var walls = StaticBody2D.new()
	for wall in parts(scenario["walls"]):
		for i in range(1, wall.size()):
			var segment = SegmentShape2D.new()
			segment.a = wall[i - 1]
			segment.b = wall[i]
			add_shape(walls, segment)
	place.add_child(walls)
	var goals = {}
	for goal in scenario["goals"]:
		goal["points"] = parts(goal["wkt"])[0]
		goals[goal["name"]] = goal
	var stages = {}
	for group in scenario["groups"]:
		stages[group["name"]] = []
		for stage in group["stages"]:
			stages[group["name"]].append(goals[stage[0]])
	people = []
	for person in request["people"]:
		var body = KinematicBody2D.new()
		var circle = CircleShape2D.new()
		circle.radius = person["radius_m"] * SCALE * request["parameters"]["body_scale"]
		add_shape(body, circle)
		body.position = Vector2(person["x"], person["y"]) * SCALE
		place.add_child(body)
		people.append({"id": int(person["id"]), "body": body, "radius": person["radius_m"] * SCALE,
			"speed": person["desired_speed_m_per_s"] * SCALE, "velocity": Vector2(), "stages": stages[person["group"]].duplicate()})
	rows = PoolStringArray(["# framerate: 10 fps", "# id frame x/m y/m"])
	times = []
	step = 0
	chance.seed = int(request["seed"])


func add_shape(body, shape):
	var node = CollisionShape2D.new()
	node.shape = shape
	body.add_child(node)


# The nearest point of a door, off its posts and a bit beyond it; the middle of any other goal.
func aim(goal, at, radius):
	var points = goal["points"]
	if goal["kind"] != "door":
		var sum = Vector2()
		for point in points:
			sum += point
		return sum / points.size()
	var along = points[1] - points[0]
	var edge = min(0.5, (radius + 10) / along.length())
	var share = clamp((at - points[0]).dot(along) / along.length_squared(), edge, 1 - edge)
	return points[0] + share * along + Vector2(goal["outward"][0], goal["outward"][1]) * 2 * radius


func reached(goal, at, radius, last):
	if goal["kind"] != "door":
		return at.distance_to(aim(goal, at, radius)) < goal.get("radius_m", 0.5) * SCALE
	var beyond = (at - goal["points"][0]).dot(Vector2(goal["outward"][0], goal["outward"][1]))
	return beyond > (radius if last else 0.0)


func move(person):
	var parameters = request["parameters"]
	var at = person.body.position
	var reach = parameters["neighbor_distance_m"] * SCALE
	var push = Vector2()
	for other in people:
		if other.body == null:
			continue # has left in this step
		var away = at - other.body.position
		var distance = away.length()
		if distance < reach and distance > 0:
			push += away / distance * (1 - distance / reach)
	var wish = (aim(person.stages[0], at, person.radius) - at).normalized() * person.speed
	var force = (wish - person.velocity) / parameters["relaxation_time_s"] + push * parameters["separation_weight"] * SCALE
	force += Vector2(chance.randfn(), chance.randfn()) * parameters["noise_m_per_s2"] * SCALE
	person.velocity = (person.velocity + force * STEP_S).clamped(1.3 * person.speed)
	person.velocity = person.body.move_and_slide(person.velocity, Vector2(), false, int(parameters["max_slides"]))
	if reached(person.stages[0], person.body.position, person.radius, person.stages.size() == 1):
		person.stages.pop_front()
	return person.stages.size() > 0


# Godot calls this once a physics step: between runs it waits for a request, in a run it moves everybody once.
func _iteration(_delta):
	if request == null:
		var line = read_line()
		if line == "":
			quit()
			return false
		request = JSON.parse(line).result
		request["id"] = int(request["id"])
		if not scenarios.has(request["scenario"]):
			send({"id": request["id"], "failed": "no such scenario"})
			request = null
			return false
		start(scenarios[request["scenario"]])
		return false
	if step % 2 == 0:
		for person in people:
			var at = person.body.position / SCALE
			rows.append("%d %d %.4f %.4f" % [person.id, step / 2, at.x, at.y])
	var inside = []
	for person in people:
		if move(person):
			inside.append(person)
		else:
			times.append((step + 1) * STEP_S)
			person.body.free()
			person.body = null
	people = inside
	step += 1
	if people.empty() or step * STEP_S >= scenarios[request["scenario"]]["limit_s"]:
		finish()
	return false


func finish():
	var name = "run-%d.txt" % request["id"]
	var file = File.new()
	file.open(folder + "/" + name, File.WRITE)
	file.store_string(rows.join("\n") + "\n")
	file.close()
	var sum = 0.0
	for time in times:
		sum += time
	var mean = sum / times.size() if times.size() > 0 else null
	place.free()
	send({"id": request["id"], "trajectory": name, "end_s": ceil(step / 2.0) * 2 * STEP_S,
		"values": {"mean_travel_time_s": mean, "people_out": times.size()}})
	request = null
