class_name SallyportStream
extends Node
## A small client without native code, for platforms that the extension has no library for. Unix only: it needs StreamPeerUDS of Godot 4.6.
##
## It does the handshake, calls, events and reconnects. It has no sign-in with a proof key and restores subscriptions only. It looks only in
## [member runtime_dir] or in XDG_RUNTIME_DIR, because a script cannot check who owns a socket. Numbers are floats. The engine
## prints an error for each attempt at a socket that a crashed server left behind. Use
## [SallyportClient] wherever its library is there.
##
## A call of [constant SallyportProtocol.KEYED_COMMANDS] has a key, and a bridge that keeps keys makes it once. If the connection ends
## before the response, the call is repeated on the next one: at once, or when the game has signed the same user in again. For another user, at
## another server and after five minutes it ends as other calls do.

## Calls can be made. [param ready] is the data of READY.
signal session_ready(ready: Dictionary)
## No server was found; emitted once per outage. The client goes on looking.
signal not_available(message: String)
## The connection was lost. The client looks for a server again by itself.
signal disconnected(message: String)
## An event, also one without a subscription.
signal event_received(event: String, data: Variant)

enum State { CLOSED, CONNECTING, HANDSHAKE, READY, WAITING }

const SLOTS := SallyportProtocol.SLOT_COUNT
const CallKeys := preload("call_keys.gd")
const FrameStream := preload("frame_stream.gd")
const MOST_CALLS := 64
const MOST_FRAMES_PER_FRAME := 256
const STEP_MS := 1_000
const CALL_MS := 95_000
const FIRST_WAIT_MS := 100
const LONGEST_WAIT_MS := 5_000
const LOST := "the connection ended before the response; the server may have executed the call"

@export var application_id := ""
## The only folder to look for sockets in. Empty: XDG_RUNTIME_DIR.
@export var runtime_dir := ""
@export var auto_open := true

var _state := State.CLOSED
var _frames := FrameStream.new()
var _slot := 0
## Names in the folder when the scan began.
var _files := PackedStringArray()
var _deadline := 0
var _attempt := 0
var _is_reported := false
var _nonce := 0
var _calls: Dictionary[String, Call] = {}
var _keys := CallKeys.new()
## Calls with a key of earlier connections.
var _kept: Array[Call] = []
var _subscriptions: Array[Dictionary] = []


## One call. Await [signal completed].
class Call:
	extends RefCounted
	## Emitted once, when the call has ended.
	signal completed(one: Call)
	## The response, or the data of the error.
	var data: Variant
	## 0 on success; a positive code of the server; -1 if there was no response.
	var code := 0
	var message := ""
	var deadline := 0
	## The frame.
	var sent := {}
	## What its repeat depends on, for a call with a key.
	var account: Variant
	var made := 0

	func is_ok() -> bool:
		return code == 0

	func end(with_code: int, with_message: String, with_data: Variant) -> void:
		code = with_code
		message = with_message
		data = with_data
		completed.emit(self)


static func is_available() -> bool:
	return ClassDB.class_exists("StreamPeerUDS")


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS


func _enter_tree() -> void:
	if auto_open:
		open()


func _exit_tree() -> void:
	close()


func is_session_ready() -> bool:
	return _state == State.READY


func open() -> void:
	if _state != State.CLOSED:
		return
	if not is_available():
		push_error("SallyportStream needs StreamPeerUDS of Godot 4.6 on Unix; use SallyportClient.")
		return
	_attempt = 0
	_slot = 0
	_state = State.CONNECTING


func close() -> void:
	_frames.close()
	_state = State.CLOSED
	var calls := _open_calls()
	_kept = []
	_calls = {}
	for one in calls:
		one.end.call_deferred(-1, "the client was closed", null)


## Makes a call; [code]SallyportProtocol.COMMAND_…[/code] has the commands. Ids are texts. [param key] is one of [method create_key] that the
## game stored with a write before. Within five minutes of the first call, the same call with it has the result of the first: the bridge keeps a
## key for ten, and the client may repeat the call for five more. An empty key is none: the write gets a new one and is made again, so check a
## stored key first.
func request(command: String, args: Dictionary = {}, key: String = "") -> Call:
	return _send(command, args, "", key)


## A new key for [method request]: 32 hexadecimal digits. Empty if the system has no random source.
static func create_key() -> String:
	return CallKeys.create()


## Sets the presence of this game; null clears it.
func set_activity(activity: Variant) -> Call:
	return _send(SallyportProtocol.COMMAND_SET_ACTIVITY, {"pid": OS.get_process_id(), "activity": activity}, "")


## Subscribes to an event, across reconnects.
func subscribe(event: String, args: Dictionary = {}) -> void:
	_subscriptions.append({"event": event, "args": args})
	if _state == State.READY:
		_send(SallyportProtocol.COMMAND_SUBSCRIBE, args, event)


func _process(_delta: float) -> void:
	match _state:
		State.CONNECTING:
			_connect()
		State.HANDSHAKE, State.READY:
			_exchange()
		State.WAITING:
			if Time.get_ticks_msec() >= _deadline:
				_slot = 0
				_state = State.CONNECTING
	_expire()


## Tries one slot per frame.
func _connect() -> void:
	var folder := runtime_dir if runtime_dir != "" else OS.get_environment("XDG_RUNTIME_DIR")
	if _slot == 0:
		# Connecting to what is not there would print an error.
		var directory := DirAccess.open(folder) if folder != "" else null
		_files = PackedStringArray() if directory == null else directory.get_files()
	while _slot < SLOTS and not _files.has("discord-ipc-%d" % _slot):
		_slot += 1
	if _slot == SLOTS:
		_wait("no server was found", false)
		return
	var path := "%s/discord-ipc-%d" % [folder.rstrip("/"), _slot]
	_slot += 1
	if not _frames.open(path):
		_frames.close()
		return
	_state = State.HANDSHAKE
	_deadline = Time.get_ticks_msec() + STEP_MS
	var hello := {
		"v": SallyportProtocol.PROTOCOL_VERSION,
		"client_id": application_id,
		"contract": SallyportProtocol.CONTRACT_VERSION,
		"encoding": "json",
		"max_frame_bytes": FrameStream.LARGEST_FRAME,
		"sdk_version": "sallyport-gdscript"
	}
	_frames.put(SallyportProtocol.Opcode.HANDSHAKE, JSON.stringify(hello).to_utf8_buffer())


func _exchange() -> void:
	if _state == State.HANDSHAKE and Time.get_ticks_msec() > _deadline:
		_end("the server did not answer the handshake")
		return
	var is_open := _frames.exchange()
	var left := MOST_FRAMES_PER_FRAME
	while left > 0 and _state in [State.HANDSHAKE, State.READY] and _frames.has_frame():
		left -= 1
		_take_frame()
	if not _state in [State.HANDSHAKE, State.READY]:
		return
	if _frames.is_broken():
		_end("the server sent a frame that is too long")
	elif not is_open and left > 0:
		_end("the server ended the connection")


func _take_frame() -> void:
	var opcode := _frames.next_opcode()
	var payload := _frames.take()
	match opcode:
		SallyportProtocol.Opcode.PING:
			_frames.put(SallyportProtocol.Opcode.PONG, payload)
		SallyportProtocol.Opcode.CLOSE:
			_end("the server closed the connection: %s" % payload.get_string_from_utf8().left(500))
		SallyportProtocol.Opcode.FRAME:
			_take_message(payload)


func _take_message(payload: PackedByteArray) -> void:
	var json := JSON.new()
	if json.parse(payload.get_string_from_utf8()) != OK:
		_end("the server sent a payload that is not JSON")
		return
	if not json.data is Dictionary:
		return
	var message: Dictionary = json.data
	var event: Variant = message.get("evt")
	var data: Variant = message.get("data")
	if message.get("cmd") == "DISPATCH":
		if event == SallyportProtocol.EVENT_READY and _state == State.HANDSHAKE:
			_on_ready(data)
		elif event is String:
			if event == SallyportProtocol.EVENT_TOKEN_REVOKED:
				_keys.signed_out()
			event_received.emit(event, data)
		return
	var nonce: Variant = message.get("nonce")
	if not nonce is String or not _calls.has(nonce):
		return
	var one := _calls[nonce]
	_calls.erase(nonce)
	if _keys.answered(one.sent.cmd, data, event == SallyportProtocol.EVENT_ERROR):
		_repeat()
	if event == SallyportProtocol.EVENT_ERROR:
		var error: Dictionary = data if data is Dictionary else {}
		one.end(int(error.get("code", SallyportProtocol.ErrorCode.UNKNOWN_ERROR)), str(error.get("message", "")), data)
	else:
		one.end(0, "", data)


func _on_ready(data: Variant) -> void:
	_state = State.READY
	_attempt = 0
	_is_reported = false
	var facts: Dictionary = data if data is Dictionary else {}
	_keys.connected(facts)
	for wanted in _subscriptions:
		_send(SallyportProtocol.COMMAND_SUBSCRIBE, wanted.args, wanted.event)
	_repeat()
	session_ready.emit(facts)


func _send(command: String, args: Dictionary, event: String, given_key: String = "") -> Call:
	var one := Call.new()
	var key := _keys.key_of(command, given_key)
	var problem := _keys.problem_of(command, given_key, key)
	# Calls that wait for an account keep out neither its sign-in nor the subscriptions.
	var is_limited := event == "" and not CallKeys.CHANGE_ACCOUNT.has(command)
	if _state != State.READY or not is_inside_tree():
		problem = "nothing was sent: there is no connection"
	elif is_limited and _calls.size() + _kept.size() >= MOST_CALLS:
		problem = "nothing was sent: too many calls wait"
	if problem != "":
		# The queue of the engine holds the call until it has emitted.
		one.end.call_deferred(-1, problem, null)
		return one
	one.sent = {"cmd": command, "args": args}
	if event != "":
		one.sent.evt = event
	if key != "":
		# A copy, because games change their own, and the repeat must have the same.
		one.sent = {"cmd": command, "args": args.duplicate(true), "key": key}
		one.account = _keys.account()
	one.made = Time.get_ticks_msec()
	one.deadline = one.made + CALL_MS
	if not _transmit(one):
		one.end.call_deferred(-1, "the call is larger than a server accepts", null)
	return one


## Sends a call with a new nonce. Returns whether it is small enough.
func _transmit(one: Call) -> bool:
	_nonce += 1
	one.sent.nonce = str(_nonce)
	var payload := JSON.stringify(one.sent).to_utf8_buffer()
	if payload.size() > FrameStream.LARGEST_FRAME:
		return false
	_calls[one.sent.nonce] = one
	_keys.sent(one.sent.cmd)
	_frames.put(SallyportProtocol.Opcode.FRAME, payload)
	return true


## Sends the calls of the account again that earlier connections left. Others wait until the account is settled, and are lost then.
func _repeat() -> void:
	var calls := _kept
	_kept = []
	for one in calls:
		var is_lost := not _keys.is_kept or Time.get_ticks_msec() - one.made > CallKeys.REPEAT_MS
		var is_same_account: bool = one.account == _keys.account()
		if not is_lost and not is_same_account and not _keys.is_settled():
			_kept.append(one)
		elif is_lost or not is_same_account or not _transmit(one):
			one.end.call_deferred(-1, LOST, null)


func _open_calls() -> Array[Call]:
	var calls := _kept.duplicate()
	calls.append_array(_calls.values())
	return calls


func _expire() -> void:
	var now := Time.get_ticks_msec()
	for one in _open_calls():
		if now <= one.deadline:
			continue
		var was_sent := _calls.erase(one.sent.nonce)
		var was_kept := _kept.has(one)
		_kept.erase(one)
		if was_sent or was_kept:
			one.end(-1, "no response in time; the server may still execute the call", null)


## The connection ended: the next slot during a search, otherwise the search begins again.
func _end(message: String) -> void:
	var was_ready := _state == State.READY
	_frames.close()
	if was_ready:
		_wait(message, true)
	else:
		_state = State.CONNECTING


func _wait(message: String, was_lost: bool) -> void:
	_state = State.WAITING
	_deadline = Time.get_ticks_msec() + int(minf(FIRST_WAIT_MS * pow(2, _attempt), LONGEST_WAIT_MS) * randf_range(0.5, 1.0))
	_attempt = mini(_attempt + 1, 10)
	_leave_calls()
	if was_lost:
		disconnected.emit(message)
	elif not _is_reported:
		_is_reported = true
		not_available.emit(message)


## Those with a key wait for the next connection. Under another account it would be another key.
func _leave_calls() -> void:
	var calls := _calls
	_calls = {}
	for one: Call in calls.values():
		if one.sent.has("key") and one.account != null:
			_kept.append(one)
		else:
			one.end.call_deferred(-1, LOST, null)
