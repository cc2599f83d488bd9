# The scene of preset.json and place.json. Start here for one of your own.
#
# `godot --headless --path godot4 -- --walk=60` walks it without a window, as fast as it can, and writes tracks.txt, which PedPy reads.
extends "view.gd"

# The place; empty for the first place*.json of the project.
@export var place_file = ""


func _ready():
	if place_file == "":
		place_file = first_place(_names())
	start(_read("res://preset.json"), _read("res://" + place_file), OS.get_cmdline_user_args())


func _names():
	return DirAccess.get_files_at("res://")


func _read(name):
	var read = JSON.parse_string(FileAccess.get_file_as_string(name))
	if read == null:
		push_error("cannot read %s" % name)
		return {}
	return read


func save(name, rows):
	var file = FileAccess.open(name, FileAccess.WRITE)
	for row in rows:
		file.store_line(row)
	file.close()


func redraw():
	queue_redraw()
