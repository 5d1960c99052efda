extends Node
## What the add-on promises besides the protocol: lifetimes, threads, values and signals. Prints a line per check.
## The server of the test answers every call with its arguments, and some commands otherwise: see test/e2e/bindings-godot.test.ts.

const APPLICATION := "1180000000000000042"
const FRAMES_PER_SECOND := 240

var _count := 0
var _signals: Array[String] = []


func _ready() -> void:
	Engine.max_fps = FRAMES_PER_SECOND
	_run()


func _run() -> void:
	await get_tree().process_frame
	await _without_server()
	await _values()
	await _problems()
	await _keys()
	await _events()
	await _refusals()
	await _settings()
	await _account()
	await _emission()
	await _nodes()
	await _handlers()
	await _threads()
	print("1..%d" % _count)
	get_tree().quit()


func _check(title: String, is_right: bool) -> void:
	_count += 1
	print("%s %d - %s" % ["ok" if is_right else "not ok", _count, title])


## A client in the tree, connected.
func _connected() -> SallyportClient:
	var client := SallyportClient.new()
	client.application_id = APPLICATION
	get_tree().root.add_child(client)
	if not client.is_session_ready():
		await client.session_ready
	# A debug engine refuses to free what is emitting.
	await get_tree().process_frame
	return client


func _response(client: SallyportClient, command: String, args: Dictionary = {}, timeout_ms: int = 0) -> SallyportCall:
	return await client.request(command, args, timeout_ms).completed


func _without_server() -> void:
	var client := SallyportClient.new()
	_check("a new client is offline", client.get_state() == SallyportClient.STATE_OFFLINE and not client.is_session_ready())
	_check("before it is in the tree, it has the process mode of every node", client.process_mode == Node.PROCESS_MODE_INHERIT)
	var call: SallyportCall = await client.request("X").completed
	_check("a call without an application ends with ARGUMENT", call.error.code == SallyportError.ARGUMENT and call.data == null)
	client.application_id = APPLICATION
	client.runtime_dir = "/nowhere"
	call = client.request("X")
	_check("a call without a connection has ended when it returns", call.is_completed() and not call.is_ok())
	await call.completed
	_check("and can be awaited", call.error.code == SallyportError.NOT_READY and call.error.code_name == "E_NOT_READY")
	var shown := client.set_activity({"details": "kept"})
	_check("a presence without a connection is kept", not shown.is_completed())
	client.set_activity({"details": "newer"})
	client.not_available.connect(func(error: SallyportError) -> void: _signals.append("not available %d" % error.code))
	get_tree().root.add_child(client)
	await client.not_available
	for frame in FRAMES_PER_SECOND:
		await get_tree().process_frame
	_check("until another one takes its place", shown.is_completed() and shown.error.code == SallyportError.REPLACED)
	_check("no server is one quiet signal", _signals == ["not available %d" % SallyportError.NO_SERVER])
	_check("and the client goes on looking", client.get_state() in [SallyportClient.STATE_WAITING, SallyportClient.STATE_CONNECTING])
	_check("in the tree it keeps the connection of a paused game", client.process_mode == Node.PROCESS_MODE_ALWAYS)
	client.close()
	_check("a closed client says so", client.get_state() == SallyportClient.STATE_CLOSED)
	client.free()
	_signals.clear()


func _values() -> void:
	var client := await _connected()
	var texts := PackedStringArray(["a", "b"])
	var sent := {
		"int": 9007199254740991,
		"float": 0.5,
		"text": "Grüße, 船 \"\n",
		&"name": &"text",
		"yes": true,
		"none": null,
		"list": [1, [2.5, {}], "x"],
		"packed": texts,
		"numbers": PackedInt64Array([1, -2]),
		"deep": {"a": {"b": {"c": []}}},
	}
	var call := await _response(client, "ECHO", sent)
	var expected := sent.duplicate()
	expected.erase(&"name")
	expected["name"] = "text"
	expected["packed"] = ["a", "b"]
	expected["numbers"] = [1, -2]
	_check("values come back as they were", call.data == expected)
	_check("whole numbers stay whole", typeof(call.data.int) == TYPE_INT and typeof(call.data.float) == TYPE_FLOAT)
	call = await _response(client, "RAW", {"data": '[1e2, 9007199254740993, 18446744073709551615, -0.0, "\\u0000\\ud83d\\ude00", 1.0]'})
	_check("numbers and texts of JSON", call.data == [100, 9007199254740993, 18446744073709551615.0, -0.0, " 😀", 1.0] and typeof(call.data[0]) == TYPE_INT)
	call = await _response(client, "NOTHING")
	_check("a response may be null", call.is_ok() and call.data == null)
	call = await _response(client, "MANY")
	_check("a response with too many values is an error", call.error.code == SallyportError.PROTOCOL and call.data == null)
	call = await _response(client, "REFUSE", {"code": 4006, "message": "No."})
	_check("an error of the server has code, name and sentence", call.error.code == 4006 and call.error.code_name == "INVALID_PERMISSIONS" and call.error.message == "No.")
	call = await _response(client, "REFUSE", {"code": 1001, "message": "Later.", "retry_after": 1.5})
	_check("and a time to wait", call.error.is_retryable() and call.error.retry_after_ms == 1500)
	call = await client.ping().completed
	_check("a ping has its pong", call.is_ok())
	_check("the server is named", client.is_bridge() and client.get_server_path().ends_with("discord-ipc-0"))
	client.free()


func _problems() -> void:
	var client := await _connected()
	var circle := {}
	circle["self"] = circle
	var wide := {"a": circle, "b": [circle, circle]}
	circle["again"] = wide
	var problems: Dictionary[String, Dictionary] = {
		"an object": {"node": client},
		"a vector": {"at": Vector2.ZERO},
		"a number that is not finite": {"far": INF},
		"a key that is no text": {1: 2},
		"a dictionary that contains itself": circle,
		"more than a server accepts": {"text": "x".repeat(3_000_000)},
	}
	for title in problems:
		var call := await _response(client, "ECHO", problems[title])
		_check("arguments with %s are refused" % title, not call.is_ok() and call.error.code < 0 and call.error.message != "")
	circle.clear()
	_check("a subscription with such arguments too", client.subscribe("X", {"at": Vector2.ZERO}) == SallyportError.JSON)
	var call := await _response(client, "SILENT", {}, 50)
	_check("a call ends in time", call.error.code == SallyportError.TIMEOUT)
	_check("the client still works", (await _response(client, "ECHO", {"a": 1})).data == {"a": 1})
	client.free()


## The server ends the connection at the first call with a key.
func _keys() -> void:
	var client := await _connected()
	var message := SallyportProtocol.COMMAND_SEND_LOBBY_MESSAGE
	var key := client.create_key()
	_check("a key has 32 digits, and each is another one", key.length() == 32 and key != client.create_key())
	var call: SallyportCall = await client.request(message, {"content": "Ahoy"}, 0, key).completed
	_check("a write is repeated with the key of the game", call.is_ok() and call.data == {"key": key, "args": {"content": "Ahoy"}})
	call = await client.request(message).completed
	_check("or with one of the client", call.is_ok() and call.data.key.length() == 32)
	call = await client.request(message, {}, 0, "stored").completed
	_check("a key of another form is refused", call.error.code == SallyportError.ARGUMENT)
	call = await client.request(SallyportProtocol.COMMAND_GET_LOBBY, {}, 0, key).completed
	_check("a key for a command that takes none too", call.error.code == SallyportError.ARGUMENT)
	client.free()


func _events() -> void:
	var client := await _connected()
	client.event_received.connect(func(event: String, data: Dictionary) -> void: _signals.append("%s %s" % [event, data]))
	client.lobby_message_create.connect(func(data: Dictionary) -> void: _signals.append("signal %s" % data.get("content")))
	var both: Array[int] = [client.subscribe("LOBBY_MESSAGE_CREATE", {"lobby_id": "7"}), client.subscribe("LOBBY_MESSAGE_CREATE")]
	client.subscribe("NEWER_EVENT")
	var event := {"evt": "LOBBY_MESSAGE_CREATE", "data": {"lobby_id": "7", "content": "ahoy"}}
	await _response(client, "EVENT", event)
	_check("an event is emitted once for two subscriptions", _signals == ['LOBBY_MESSAGE_CREATE %s' % event.data, "signal ahoy"])
	_signals.clear()
	await _response(client, "EVENT", {"evt": "NEWER_EVENT", "data": {"n": 1}})
	await _response(client, "EVENT", {"evt": "NEWER_EVENT", "data": null})
	await _response(client, "EVENT", {"evt": "UNWANTED", "data": {"n": 1}})
	_check("an event without a signal of its own too, and no other", _signals == ['NEWER_EVENT { "n": 1 }', "NEWER_EVENT {  }"])
	_signals.clear()
	_check("unsubscribing", client.unsubscribe(both[0]) and client.unsubscribe(both[1]) and not client.unsubscribe(both[0]))
	await _response(client, "EVENT", event)
	_check("ends the signals", _signals.is_empty())
	client.free()
	var listed := SallyportClient.new()
	listed.application_id = APPLICATION
	listed.events = PackedStringArray(["ACTIVITY_JOIN"])
	get_tree().root.add_child(listed)
	await listed.session_ready
	_check("listed events are subscribed", listed.get_restored().active_subscriptions == 1)
	_drop(listed)
	var error: SallyportError = await listed.disconnected
	_check("a loss is a signal with its reason", error.code == SallyportError.CONNECTION_LOST)
	await listed.session_ready
	_check("and the subscriptions are restored", listed.get_restored().active_subscriptions == 1 and listed.get_restored().outage_ms >= 0)
	listed.request("CLOSE")
	error = await listed.disconnected
	_check("a CLOSE has its code", error.code == SallyportError.SERVER_CLOSED and error.close_code == 4000)
	# A debug engine refuses to free what is emitting.
	await get_tree().process_frame
	listed.free()


func _settings() -> void:
	var client := await _connected()
	client.application_id = APPLICATION
	client.application_id = "1180000000000000043"
	client.application_id = APPLICATION
	client.max_pending_calls = 0
	_check("a limit that the client cannot have is refused", client.max_pending_calls == 64)
	client.close()
	client.max_pending_calls = 2
	client.max_subscriptions = 1
	client.open()
	await client.session_ready
	await get_tree().process_frame
	var waiting: Array[SallyportCall] = [client.request("SILENT"), client.request("SILENT"), client.request("SILENT")]
	_check("the limit of calls holds", waiting[2].is_completed() and waiting[2].error.code == SallyportError.LIMIT and not waiting[1].is_completed())
	_check("the limit of subscriptions too", client.subscribe("A") > 0 and client.subscribe("B") == SallyportError.LIMIT)
	client.free()


func _refusals() -> void:
	var client := SallyportClient.new()
	client.application_id = APPLICATION
	client.events = PackedStringArray(["REFUSED_EVENT", "ACTIVITY_JOIN"])
	var seen: Array[String] = []
	client.subscription_refused.connect(
		func(subscription: int, error: SallyportError) -> void: seen.append("%d %s %s" % [subscription, error.code_name, error.message])
	)
	get_tree().root.add_child(client)
	await client.session_ready
	var id := client.subscribe("REFUSED_EVENT", {"lobby_id": "7"})
	while seen.size() < 2:
		await get_tree().process_frame
	var sentence := "INVALID_PERMISSIONS The server refused the subscription to REFUSED_EVENT: INVALID_PERMISSIONS."
	_check("a refused subscription is said once, listed or not: %s" % [seen], seen.size() == 2 and seen[1] == "%d %s" % [id, sentence])
	client.free()


func _account() -> void:
	var client := await _connected()
	var seen: Array[int] = []
	client.account_changed.connect(func(account: SallyportClient.Account) -> void: seen.append(account))
	var done: SallyportCall = await client.sign_in_silently().completed
	_check("the account is shown when the sign-in has ended: %s" % [seen], done.is_ok() and seen == [SallyportClient.ACCOUNT_SIGNED_IN])
	client.free()


## Ends the connection from the side of the server.
func _drop(client: SallyportClient) -> void:
	client.request("DROP")


func _emission() -> void:
	var client := await _connected()
	get_tree().paused = true
	var call := await _response(client, "ECHO", {"paused": true})
	get_tree().paused = false
	_check("a paused game gets responses", call.data == {"paused": true})
	client.process_mode = Node.PROCESS_MODE_PAUSABLE
	get_tree().paused = true
	# This runs inside a poll, which may still read the response.
	await get_tree().process_frame
	var waiting := client.request("ECHO")
	for frame in 30:
		await get_tree().process_frame
	_check("unless the developer chose otherwise", not waiting.is_completed())
	get_tree().paused = false
	await waiting.completed
	_check("then they come after the pause", waiting.is_ok())
	client.free()


func _nodes() -> void:
	var client := await _connected()
	var waiting := client.request("SILENT")
	var ends: Array[int] = []
	waiting.completed.connect(func(call: SallyportCall) -> void: ends.append(call.error.code))
	client.free()
	_check("a freed node has ended the calls that wait", waiting.is_completed() and ends.is_empty())
	await waiting.completed
	_check("and says so at the end of the frame", ends == [SallyportError.CLOSED])
	client = await _connected()
	waiting = client.request("SILENT")
	client.queue_free()
	await waiting.completed
	_check("one that is freed later too", waiting.error.code == SallyportError.CLOSED)
	client = await _connected()
	client.subscribe("ACTIVITY_JOIN")
	waiting = client.request("SILENT")
	get_tree().root.remove_child(client)
	_check("a node that leaves the tree closes", client.get_state() == SallyportClient.STATE_CLOSED and waiting.error.code == SallyportError.CLOSED)
	get_tree().root.add_child(client)
	await client.session_ready
	await get_tree().process_frame
	_check("and opens again with its subscriptions", client.get_restored().active_subscriptions == 1)
	client.close()
	client.close()
	_check("open twice is refused", client.open() == 0 and client.open() == SallyportError.STATE)
	client.free()
	client = SallyportClient.new()
	client.application_id = APPLICATION
	client.open()
	while not client.is_session_ready():
		client.poll()
		await get_tree().process_frame
	_check("a node outside the tree is polled by the game", client.poll() >= 0)
	waiting = client.request("SILENT")
	client.free()
	_check("and freed there", waiting.error.code == SallyportError.CLOSED)


func _handlers() -> void:
	var client := await _connected()
	client.subscribe("ACTIVITY_JOIN")
	var codes: Array[int] = []
	var poll := func(_data: Dictionary) -> void: codes.append(client.poll())
	client.activity_join.connect(poll)
	await _response(client, "EVENT", {"evt": "ACTIVITY_JOIN", "data": {}})
	_check("poll inside a signal is refused", codes == [SallyportError.REENTRANT])
	client.activity_join.disconnect(poll)
	var reopen := func(_data: Dictionary) -> void:
		client.close()
		client.open()
	client.activity_join.connect(reopen, CONNECT_ONE_SHOT)
	var call := await _response(client, "EVENT", {"evt": "ACTIVITY_JOIN", "data": {}})
	_check("close and open inside a signal end the call", call.error.code == SallyportError.CLOSED)
	if not client.is_session_ready():
		await client.session_ready
	_check("and connect again", (await _response(client, "ECHO", {"a": 1})).is_ok())
	var waiting := client.request("SILENT")
	var heard: Array[int] = []
	var end := func(_data: Dictionary) -> void:
		heard.append(1)
		client.free()
	client.activity_join.connect(end, CONNECT_ONE_SHOT)
	client.request("EVENT", {"evt": "ACTIVITY_JOIN", "data": {}})
	while heard.is_empty():
		await get_tree().process_frame
	# A debug engine refuses it with an error, a release engine frees the node at once.
	_check("freeing a node inside its signal harms nothing", is_instance_valid(client) == OS.is_debug_build())
	if is_instance_valid(client):
		client.queue_free()
		await get_tree().process_frame
	await get_tree().process_frame
	_check("and its calls have ended", waiting.error.code == SallyportError.CLOSED)
	client = await _connected()
	waiting = client.request("SILENT")
	call = await client.request("ECHO").completed
	client.free()
	_check("and after an await of its call", waiting.is_completed())
	client = await _connected()
	for n in 20:
		client.request("ECHO", {"n": n})
	client.request("ECHO").completed.connect(func(_call: SallyportCall) -> void: client.queue_free())
	while is_instance_valid(client):
		await get_tree().process_frame
	_check("calls that no script holds are dropped quietly", true)


func _threads() -> void:
	var client := await _connected()
	var thread := Thread.new()
	thread.start(func() -> bool: return client.request("ECHO") == null and client.subscribe("X") < 0 and client.poll() < 0)
	_check("another thread is refused", thread.wait_to_finish())
	thread = Thread.new()
	thread.start(_uses_everything.bind(client))
	_check("also by getters and properties", thread.wait_to_finish())
	_check("which changed nothing", client.sdk_version == "" and client.max_pending_calls == 64)
	thread = Thread.new()
	thread.start(_makes_node)
	var made: SallyportClient = thread.wait_to_finish()
	_check("a thread may make a node and set it up", made.sdk_version == "made/1" and made.get_state() == SallyportClient.STATE_OFFLINE)
	made.free()
	_check("and the client still works", (await _response(client, "ECHO", {"a": 1})).is_ok())
	client.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	await get_tree().process_frame
	var waiting := client.request("ECHO")
	for frame in 30:
		await get_tree().process_frame
	_check("no signal comes from the thread of a process group", not waiting.is_completed())
	client.process_thread_group = Node.PROCESS_THREAD_GROUP_INHERIT
	await waiting.completed
	_check("they come on the main thread again", waiting.is_ok())
	client.free()


func _makes_node() -> SallyportClient:
	var made := SallyportClient.new()
	made.application_id = APPLICATION
	made.sdk_version = "made/1" if made.application_id == APPLICATION else ""
	return made


func _uses_everything(client: SallyportClient) -> bool:
	client.sdk_version = "other/1"
	client.max_pending_calls = 7
	client.events = PackedStringArray(["X"])
	client.close()
	return (
		client.get_state() == SallyportClient.STATE_OFFLINE
		and not client.is_session_ready()
		and not client.is_bridge()
		and client.get_server_path() == ""
		and client.get_restored().is_empty()
		and client.application_id == ""
	)
