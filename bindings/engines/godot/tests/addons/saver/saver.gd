@tool
extends EditorPlugin


func _enter_tree() -> void:
	_save.call_deferred()


func _save() -> void:
	var scene := Node.new()
	scene.name = "Saved"
	scene.set_script(load("res://saved.gd"))
	var client: Node = ClassDB.instantiate("SallyportClient")
	client.name = "Bridge"
	client.set("application_id", "1180000000000000042")
	client.set("events", PackedStringArray(["ACTIVITY_JOIN"]))
	scene.add_child(client)
	client.owner = scene
	var packed := PackedScene.new()
	var code := packed.pack(scene)
	if code == OK:
		code = ResourceSaver.save(packed, "res://saved.tscn")
	scene.free()
	print("saved %d" % code)
	get_tree().quit(code)
