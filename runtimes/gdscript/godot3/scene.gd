# The scene of preset.json and place.json. Start here for one of your own.
#
# `godot3-server --path godot3 --walk=60` walks it without a window, as fast as it can, and writes tracks.txt, which PedPy reads.
extends "view.gd"

# The place; empty for the first place*.json of the project.
export var place_file = ""


func _ready():
	if place_file == "":
		place_file = first_place(_names())
	start(_read("res://preset.json"), _read("res://" + place_file), OS.get_cmdline_args())


func _names():
	var directory = Directory.new()
	directory.open("res://")
	directory.list_dir_begin(true)
	var names = []
	var name = directory.get_next()
	while name != "":
		names.append(name)
		name = directory.get_next()
	return names


func _read(name):
	var file = File.new()
	if file.open(name, File.READ) != OK:
		push_error("cannot read %s" % name)
		return {}
	var read = JSON.parse(file.get_as_text())
	file.close()
	return read.result if read.error == OK else {}


func save(name, rows):
	var file = File.new()
	file.open(name, File.WRITE)
	for row in rows:
		file.store_line(row)
	file.close()


func redraw():
	update()
