extends Node
## What the client without native code does, with the server of test/e2e/support/obedient-server.ts. Prints a line per check.

var _count := 0
var _signals: Array[String] = []


func _ready() -> void:
	_run()


func _check(title: String, is_right: bool) -> void:
	_count += 1
	print("%s %d - %s" % ["ok" if is_right else "not ok", _count, title])


func _run() -> void:
	var stream := SallyportStream.new()
	stream.application_id = "1180000000000000042"
	stream.runtime_dir = "/nowhere"
	stream.not_available.connect(func(_message: String) -> void: _signals.append("not available"))
	stream.event_received.connect(func(event: String, data: Variant) -> void: _signals.append("%s %s" % [event, data]))
	stream.subscribe("ACTIVITY_JOIN")
	add_child(stream)
	await stream.not_available
	var call: SallyportStream.Call = await stream.request("ECHO").completed
	_check("without a server calls fail, and the client says so once", not call.is_ok() and _signals == ["not available"])
	_signals.clear()
	stream.runtime_dir = ""
	var ready: Dictionary = await stream.session_ready
	_check("a server that starts later is found", ready.user.username == "ada" and stream.is_session_ready())
	call = await stream.request("ECHO", {"text": "Grüße"}).completed
	_check("a call has its response", call.is_ok() and call.data == {"text": "Grüße"})
	call = await stream.set_activity({"state": "x"}).completed
	_check("a presence has the process", call.data.pid == OS.get_process_id() and call.data.activity == {"state": "x"})
	call = await stream.request("REFUSE", {"code": 4006, "message": "No."}).completed
	_check("an error has its code", call.code == 4006 and call.message == "No.")
	await stream.request("EVENT", {"evt": "ACTIVITY_JOIN", "data": {"secret": "pier"}}).completed
	_check("an event is a signal", _signals == ['ACTIVITY_JOIN { "secret": "pier" }'])
	for command: String in ["DROP", "CLOSE", "GARBAGE", "LONG"]:
		var waiting := stream.request("SILENT")
		stream.request(command)
		await stream.disconnected
		if not stream.is_session_ready():
			await stream.session_ready
		call = await stream.request("ECHO").completed
		_check("after %s it connects again, and the calls have ended" % command, call.is_ok() and not waiting.is_ok())
	await _repeats(stream)
	# A debug engine refuses to free what is emitting.
	await get_tree().process_frame
	var last := stream.request("SILENT")
	stream.free()
	await last.completed
	_check("freeing it ends its calls", not last.is_ok())
	print("1..%d" % _count)
	get_tree().quit()


## The server ends the connection at the first call with a key.
func _repeats(stream: SallyportStream) -> void:
	var message := SallyportProtocol.COMMAND_SEND_LOBBY_MESSAGE
	var args := {"content": "Ahoy"}
	var writing := stream.request(message, args)
	args.content = "changed"
	var call: SallyportStream.Call = await writing.completed
	_check("a write is repeated with its key and its arguments", call.is_ok() and call.data.args.content == "Ahoy" and call.data.key.length() == 32)
	var key := SallyportStream.create_key()
	call = await stream.request(message, {}, key).completed
	_check("a write has the key that the game gives", call.is_ok() and call.data.key == key)
	for wrong: Array in [[message, key.to_upper() + "A"], [message, "g".repeat(32)], [SallyportProtocol.COMMAND_GET_LOBBY, key]]:
		call = await stream.request(wrong[0], {}, wrong[1]).completed
		_check("%s is not sent with the key %s" % wrong, call.code == -1 and call.message.begins_with("nothing was sent"))
	await stream.request(SallyportProtocol.COMMAND_AUTHENTICATE).completed
	writing = stream.request(message)
	await stream.session_ready
	await stream.request("ECHO").completed
	_check("the write of a user waits", stream._kept == [writing])
	stream.request(SallyportProtocol.COMMAND_AUTHENTICATE)
	call = await writing.completed
	_check("until the same user has signed in again", call.is_ok())
	writing = stream.request(message)
	await stream.session_ready
	stream.request(SallyportProtocol.COMMAND_FORGET_TOKENS)
	call = await writing.completed
	_check("and is lost when the user signs out", call.code == -1)
