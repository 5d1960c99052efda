extends Node
## What the class Sallyport promises with a library and without one. Prints a line per check.

const APPLICATION := "1180000000000000042"
## What every node has.
const INHERITED := "Node"

var _count := 0


func _ready() -> void:
	Engine.max_fps = 240
	_run()


func _run() -> void:
	await get_tree().process_frame
	var absent := SallyportAbsentClient.new()
	await _plays_alone(absent)
	if Sallyport.is_supported():
		_compare("methods", _names(ClassDB.class_get_method_list(&"SallyportClient", true)), _script_names(absent.get_method_list()), absent)
		_compare("signals", _names(ClassDB.class_get_signal_list(&"SallyportClient", true)), _script_names(absent.get_signal_list()), absent)
		_compare_numbers()
	var client := Sallyport.create()
	_check("the factory makes a client", client.get_class() == ("SallyportClient" if Sallyport.is_supported() else "Node"))
	if Sallyport.is_supported():
		client.set("application_id", APPLICATION)
		add_child(client)
		if not client.call("is_session_ready"):
			await Signal(client, &"session_ready")
		_check("which connects", client.call("get_state") == Sallyport.State.READY)
		# A debug engine refuses to free what is emitting.
		await get_tree().process_frame
	client.free()
	absent.free()
	print("1..%d" % _count)
	get_tree().quit()


func _check(title: String, is_right: bool) -> void:
	_count += 1
	print("%s %d - %s" % ["ok" if is_right else "not ok", _count, title])


func _plays_alone(absent: SallyportAbsentClient) -> void:
	var seen: Array[String] = []
	absent.application_id = APPLICATION
	absent.events = PackedStringArray(["ACTIVITY_JOIN"])
	absent.not_available.connect(func(error: SallyportAbsentClient.Problem) -> void: seen.append(error.code_name))
	add_child(absent)
	await get_tree().process_frame
	await get_tree().process_frame
	_check("without a library no bridge is available, once", seen == ["E_NO_LIBRARY"])
	var done: SallyportAbsentClient.Call = await absent.set_activity({"details": "alone"}).completed
	_check("a call ends with the reason", not done.is_ok() and done.error.code == Sallyport.Failure.NO_LIBRARY and done.error.message != "")
	var id := absent.subscribe("ACTIVITY_JOIN")
	_check("a subscription has an id, and ends once", id > 0 and absent.unsubscribe(id) and not absent.unsubscribe(id))
	_check("nobody is signed in", absent.get_account() == Sallyport.Account.SIGNED_OUT and absent.get_user_id() == "")
	remove_child(absent)
	_check("a node that leaves the tree closes", absent.get_state() == Sallyport.State.CLOSED)


func _names(list: Array[Dictionary]) -> Array:
	return list.map(func(one: Dictionary) -> String: return one.name)


func _script_names(list: Array[Dictionary]) -> Array:
	return _names(list).filter(func(called: String) -> bool: return not called.begins_with("_"))


## The accessors of properties are methods of a native class, and variables of a script.
func _compare(title: String, native: Array, scripted: Array, absent: SallyportAbsentClient) -> void:
	var lacking := native.filter(func(called: String) -> bool: return not called in scripted and not _is_accessor(called, absent))
	_check("the %s are the same; lacking: %s" % [title, lacking], lacking.is_empty() and not native.is_empty())


func _is_accessor(called: String, absent: SallyportAbsentClient) -> bool:
	return (called.begins_with("set_") or called.begins_with("get_")) and called.substr(4) in absent


func _compare_numbers() -> void:
	for enumeration: Array in [
		["SallyportClient", "State", "STATE_", Sallyport.State],
		["SallyportClient", "Account", "ACCOUNT_", Sallyport.Account],
		["SallyportError", "Code", "", Sallyport.Failure],
	]:
		var ours: Dictionary = enumeration[3]
		var count := 0
		for called: String in ClassDB.class_get_enum_constants(enumeration[0], enumeration[1]):
			count += int(ours.get(called.trim_prefix(enumeration[2]), null) == ClassDB.class_get_integer_constant(enumeration[0], called))
		var own := 1 if enumeration[1] == "Code" else 0
		var native := ClassDB.class_get_enum_constants(enumeration[0], enumeration[1]).size()
		_check("the numbers of %s are the same" % enumeration[1], count == native and count == ours.size() - own)
