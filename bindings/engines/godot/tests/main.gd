extends Node
## Runs the program that the first argument after `--` names: `units`, `stream` or `adapter`.

const PROGRAMS: Dictionary[String, Script] = {"adapter": preload("adapter.gd"), "stream": preload("stream.gd"), "units": preload("units.gd")}


func _ready() -> void:
	add_child(PROGRAMS[OS.get_cmdline_user_args()[0]].new())
