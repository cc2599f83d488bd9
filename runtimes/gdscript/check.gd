# Walks the cases of a folder and compares positions: `godot3-server -s check.gd ../cases [--speed]`, in this folder. Exit code 1 if one is over
# 1e-9 m.
extends SceneTree

const Loader = preload("crowdtune/loader.gd")
const Place = preload("crowdtune/place.gd")
const MOST_M = 1e-9
const SPEED_OF = ["orca_room", "social_force_jam", "five_force_room"]


func _init():
	var folder = ""
	var speed = false
	for word in OS.get_cmdline_args():
		if word == "--speed":
			speed = true
		elif not word.begins_with("-") and not word.ends_with(".gd"):
			folder = word
	var cases = _cases(folder)
	var wrong = 0
	for one in cases:
		var most = _distance(one)
		# Also false for what is no number.
		var ok = most <= MOST_M
		wrong += 0 if ok else 1
		print("%-22s %s m  %s" % [one.name, str(most * 1e12) + "e-12", "ok" if ok else "WRONG"])
	if speed:
		for one in cases:
			if SPEED_OF.has(one.name):
				_speed(one)
	quit(0 if cases.size() > 0 and wrong == 0 else 1)


func _cases(folder):
	var names = []
	var directory = Directory.new()
	if directory.open(folder) != OK:
		print("cannot open the folder `%s`" % folder)
		return []
	directory.list_dir_begin(true)
	var name = directory.get_next()
	while name != "":
		if name.ends_with(".json"):
			names.append(name)
		name = directory.get_next()
	names.sort()
	var cases = []
	for one in names:
		var file = File.new()
		file.open(folder + "/" + one, File.READ)
		cases.append(JSON.parse(file.get_as_text()).result)
		file.close()
	return cases


func _crowd(one):
	var loader = Loader.new()
	var crowd = loader.crowd(one.preset, one.place)
	if crowd == null:
		print("%s: %s" % [one.name, loader.error])
	return crowd


func _distance(one):
	var crowd = _crowd(one)
	if crowd == null:
		return INF
	var most = 0.0
	for after in one.after:
		while crowd.steps < after.steps:
			crowd.step()
		if crowd.people.size() != after.people.size():
			return INF
		for i in range(crowd.people.size()):
			var person = crowd.people[i]
			var wanted = after.people[i]
			if person.id != int(wanted[0]):
				return INF
			var dx = person.x - wanted[1]
			var dy = person.y - wanted[2]
			most = Place.upper(most, sqrt(dx * dx + dy * dy))
	return most


func _speed(one):
	var walked = 0.0
	var spent = 0.0
	while spent < 2.0:
		var crowd = _crowd(one)
		var since = OS.get_ticks_usec()
		for _step in range(300):
			walked += crowd.people.size()
			crowd.step()
		spent += (OS.get_ticks_usec() - since) / 1e6
	print("%s: %d agent-steps/s" % [one.name, int(walked / spent)])
