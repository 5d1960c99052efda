extends Node
## What the client without native code does, with the server of test/e2e/support/obedient-server.ts. Prints a line per check.

const CallKeys := preload("res://addons/sallyport/call_keys.gd")
const MESSAGE := SallyportProtocol.COMMAND_SEND_LOBBY_MESSAGE
const SIGN_IN := SallyportProtocol.COMMAND_AUTHENTICATE

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
	await _accounts(stream)
	await _limits(stream)
	await _lacks_random(stream)
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
	var args := {"content": "Ahoy", "metadata": {"mark": "1"}}
	var sent := args.duplicate(true)
	var writing := stream.request(MESSAGE, args)
	args.content = "changed"
	args.metadata.mark = "2"
	var call: SallyportStream.Call = await writing.completed
	_check("a write is repeated with its key and its arguments", call.is_ok() and call.data.args == sent and call.data.key.length() == 32)
	var key := SallyportStream.create_key()
	call = await stream.request(MESSAGE, {}, key).completed
	_check("a write has the key that the game gives", call.is_ok() and call.data.key == key)
	for wrong: Array in [[MESSAGE, key.to_upper() + "A"], [MESSAGE, "g".repeat(32)], [SallyportProtocol.COMMAND_GET_LOBBY, key]]:
		call = await stream.request(wrong[0], {}, wrong[1]).completed
		_check("%s is not sent with the key %s" % wrong, call.code == -1 and call.message.begins_with("nothing was sent"))


## What becomes of the write of a user, by what the game does after the reconnect.
func _accounts(stream: SallyportStream) -> void:
	var refused := {"code": 4009, "message": "No."}
	await stream.request(SIGN_IN).completed
	var writing := await _broken_write(stream)
	await stream.request("ECHO").completed
	_check("the write of a user waits", stream._kept == [writing])
	await stream.request(SIGN_IN, refused).completed
	_check("also when a sign-in is refused", stream._kept == [writing])
	stream.request(SIGN_IN)
	var call: SallyportStream.Call = await writing.completed
	_check("until the same user has signed in again", call.is_ok())
	for second: Dictionary in [{}, refused]:
		writing = await _broken_write(stream)
		stream.request(SIGN_IN)
		stream.request(SIGN_IN, second)
		call = await writing.completed
		_check("and every sign-in has its answer: %s" % second, call.is_ok())
	writing = await _broken_write(stream)
	stream.request(SIGN_IN)
	stream.request(SIGN_IN, {"user_id": "2"})
	call = await writing.completed
	_check("it is lost when another user signs in", call.code == -1)
	writing = await _broken_write(stream)
	stream.request(SallyportProtocol.COMMAND_FORGET_TOKENS)
	call = await writing.completed
	_check("and when the user signs out", call.code == -1)
	var signing := stream.request(SIGN_IN)
	signing.deadline = -1
	stream._expire()
	call = await stream.request(MESSAGE).completed
	_check("and after a sign-in without an answer", signing.code == -1 and call.message == SallyportStream.LOST)
	await stream.session_ready


## A write that the server answers with the end of the connection. Returns when there is another one.
func _broken_write(stream: SallyportStream) -> SallyportStream.Call:
	var writing := stream.request(MESSAGE)
	await stream.session_ready
	return writing


func _limits(stream: SallyportStream) -> void:
	await stream.request(SIGN_IN).completed
	var writes: Array[SallyportStream.Call] = []
	while writes.size() < SallyportStream.MOST_CALLS:
		writes.append(stream.request(MESSAGE))
	await stream.session_ready
	var call: SallyportStream.Call = await stream.request("ECHO").completed
	_check("writes that wait count as calls", call.message == "nothing was sent: too many calls wait")
	var is_subscribing := stream._calls.values().any(
		func(one: SallyportStream.Call) -> bool: return one.sent.cmd == SallyportProtocol.COMMAND_SUBSCRIBE
	)
	_check("the subscriptions are restored all the same", is_subscribing)
	call = await stream.request(SIGN_IN).completed
	_check("and the user can sign in", call.is_ok())
	if call.is_ok():
		await writes.back().completed
	_check("which repeats them all", writes.all(func(one: SallyportStream.Call) -> bool: return one.data is Dictionary))


func _lacks_random(stream: SallyportStream) -> void:
	stream._keys = CallKeys.new(NoRandom.new())
	stream._keys.connected({"call_keys": true})
	var call: SallyportStream.Call = await stream.request(MESSAGE).completed
	_check("a write without a key is not sent", call.code == -1 and call.message.contains("random source"))
	call = await stream.request("ECHO").completed
	_check("other calls need no key", call.is_ok())


class NoRandom:
	extends RefCounted

	func generate_random_bytes(_size: int) -> PackedByteArray:
		return PackedByteArray()
