# A crowd from `preset.json` and `place.json`, as crowdtune writes them: read them into dictionaries, then `crowd(preset, place)`.

const Crowd = preload("crowd.gd")
const Place = preload("place.gd")
const SocialForce = preload("social_force.gd")
const FiveForce = preload("five_force.gd")
const Orca = preload("orca.gd")

const NUMBERS = {
	"social_force": [
		"repulsion_strength_n", "repulsion_range_m", "wall_repulsion_strength_n", "wall_repulsion_range_m", "body_stiffness_kg_per_s2",
		"sliding_friction_kg_per_m_s", "relaxation_time_s", "anisotropy", "negligible_m_per_s2",
	],
	"five_force": [
		"attraction_weight", "separation_weight", "alignment_weight", "cohesion_weight", "repulsion_weight", "gain_m_per_s2",
		"field_of_view_deg", "range_diameters", "turn_limit_deg", "unit_time_s", "look_ahead_s", "clearance_m",
	],
	"orca": [
		"time_horizon_s", "obstacle_time_horizon_s", "neighbor_distance_m", "max_neighbors", "responsibility", "margin_m", "max_speed_factor",
	],
}
const SWITCHES = {
	"social_force": ["wall_repulsion"],
	"five_force": ["collision_strategies", "strategies_respect_turn_limit"],
	"orca": [],
}
const DIRECTIONS = ["four_forward", "four_diagonal", "seven"]
const WORDS = {
	"social_force": {},
	"five_force": {"perceives": ["group", "all"], "pedestrian_directions": DIRECTIONS, "wall_directions": DIRECTIONS},
	"orca": {},
}
const OF_PEOPLE = ["group", "rank", "x", "y", "vx", "vy", "radius_m", "mass_kg", "desired_speed_m_per_s", "start_time_s"]

# What is wrong with the files; "" if nothing is.
var error = ""


# The crowd, or null: then `error` names the key that is missing or is not what it should be.
func crowd(preset, place):
	error = ""
	for key in ["groups", "people", "walls", "goals"]:
		if not place.has(key) or typeof(place[key]) != typeof([]):
			return _fail("`%s` is missing in the place, or is no list" % key)
	var name = str(place.get("model"))
	if not NUMBERS.has(name):
		return _fail("`model` is %s: this runtime has social_force, five_force and orca" % name)
	if not _is_number(place.get("time_step_s")):
		return _fail("`time_step_s` is no number")
	var all = Crowd.new()
	all.dt = place.time_step_s
	var constants = []
	for group in place.groups:
		constants.append(_constants(name, group.get("constants", {}), preset.get("values", {})))
		all.groups.append(_group(group))
	for id in range(place.people.size()):
		all.people.append(_person(id, place.people[id]))
	var goals = []
	for goal in place.goals:
		goals.append(_goal(goal))
	if error != "":
		return null
	var rings = place.get("rings")
	all.place = Place.new()
	all.place.setup(place.walls, goals, [rings.get("x"), rings.get("y")] if rings != null else [null, null])
	all.model = _model(name, constants, all.people)
	return all


func _fail(what):
	if error == "":
		error = what
	return null


static func _is_number(value):
	return typeof(value) == typeof(1.0) or typeof(value) == typeof(1)


func _model(name, constants, people):
	if name == "orca":
		var orca = Orca.new()
		orca.groups = constants
		return orca
	if name == "five_force":
		var five = FiveForce.new()
		five.setup(constants)
		return five
	var social = SocialForce.new()
	social.groups = constants
	social.min_mass = INF
	for person in people:
		social.min_mass = Place.lower(social.min_mass, person.mass)
	return social


# The constants of a group: its own, else those that all share.
func _constants(name, own, shared):
	var read = {}
	for key in NUMBERS[name]:
		read[key] = own[key] if own.has(key) else shared.get(key)
		if not _is_number(read[key]):
			_fail("the constant `%s` is no number" % key)
	for key in SWITCHES[name]:
		read[key] = own[key] if own.has(key) else shared.get(key)
		if typeof(read[key]) != typeof(true):
			_fail("the constant `%s` is neither true nor false" % key)
	for key in WORDS[name]:
		read[key] = own[key] if own.has(key) else shared.get(key)
		if not WORDS[name][key].has(read[key]):
			_fail("the constant `%s` is none of %s" % [key, WORDS[name][key]])
	return read


# Numbers of goals come as floats from JSON.
func _group(group):
	var stages = []
	for stage in group.get("stages", []):
		var goals = []
		for goal in stage:
			goals.append(int(goal))
		stages.append(goals)
	var stay = group.get("stay")
	return {
		"stages": stages,
		"own_goals": group.get("own_goals", false),
		"rounds": group.get("rounds", false),
		"heading": group.get("heading"),
		"stay": {"at": stay.at, "radius": stay.radius_m} if stay != null else null,
	}


func _goal(goal):
	if goal.has("door"):
		return {"door": goal.door, "out": goal.out}
	if goal.has("area"):
		return {"area": goal.area}
	return {"point": goal.point, "radius": goal.radius_m}


func _person(id, from):
	var person = Crowd.Person.new()
	for key in OF_PEOPLE:
		if not _is_number(from.get(key)):
			_fail("`people[%d].%s` is no number" % [id, key])
			return person
	person.id = id
	person.group = int(from.group)
	person.rank = int(from.rank)
	person.x = from.x
	person.y = from.y
	person.vx = from.vx
	person.vy = from.vy
	person.radius = from.radius_m
	person.mass = from.mass_kg
	person.speed = from.desired_speed_m_per_s
	# JSON has no infinity: null is no limit.
	var fastest = from.get("max_speed_m_per_s")
	person.max_speed = fastest if _is_number(fastest) else INF
	person.start = from.start_time_s
	return person
