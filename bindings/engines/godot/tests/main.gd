extends Node
## Runs the program that the first argument after `--` names: `units`, `stream`, `factory` or `adapter`.

const PROGRAMS: Dictionary[String, String] = {
	"adapter": "res://adapter.gd",
	"factory": "res://factory.gd",
	"stream": "res://stream.gd",
	"units": "res://units.gd",
}


func _ready() -> void:
	# Loaded when it is wanted: some have types that only the library brings.
	var program: GDScript = load(PROGRAMS[OS.get_cmdline_user_args()[0]])
	add_child(program.new())
