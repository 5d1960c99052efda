extends Node
## The adapter of the Godot client for the conformance kit.

const STATES: Array[String] = ["offline", "connecting", "ready", "waiting", "closed"]
## Room for a call that is larger than any server accepts.
const LINE_SIZE := 4 * 1024 * 1024
## As often as a busy game.
const FRAMES_PER_SECOND := 500

var _client := SallyportClient.new()
var _subscriptions: Dictionary[String, Array] = {}
var _reader := Thread.new()
var _mutex := Mutex.new()
var _lines: Array[String] = []
var _has_ended := false


func _ready() -> void:
	Engine.max_fps = FRAMES_PER_SECOND
	_client.auto_open = false
	_client.state_changed.connect(_on_state_changed)
	_client.event_received.connect(_on_event_received)
	add_child(_client)
	_reader.start(_read_input)


## Reading blocks, so it has a thread of its own.
func _read_input() -> void:
	while true:
		var line := OS.read_string_from_stdin(LINE_SIZE)
		_mutex.lock()
		if line == "":
			_has_ended = true
		else:
			_lines.append(line)
		_mutex.unlock()
		if line == "":
			return


func _process(_delta: float) -> void:
	_mutex.lock()
	var lines := _lines
	_lines = []
	var has_ended := _has_ended
	_mutex.unlock()
	for line in lines:
		_obey(JSON.parse_string(line))
	if has_ended and lines.is_empty():
		_reader.wait_to_finish()
		get_tree().quit()


func _write(line: Dictionary) -> void:
	print(JSON.stringify(line, "", false, true))


func _obey(request: Dictionary) -> void:
	var id: int = request.get("id", 0)
	match request.do:
		"connect":
			_client.application_id = request.application_id
			_client.runtime_dir = request.get("runtime_dir", "")
			_client.allow_packaged_client = request.get("allow_packaged_client", false)
			_client.open(request.get("timeout_ms", -1))
		"call":
			var key: String = request.get("key", "")
			_report(id, _client.request(request.command, _args_of(request), request.get("timeout_ms", 0), key))
		"activity":
			var activity: Variant = request.activity
			_report(id, _client.clear_activity() if activity == null else _client.set_activity(activity))
		"sign_in":
			_report(id, _client.ask_to_sign_in(" ".join(PackedStringArray(request.scopes))))
		"sign_in_if_needed":
			_report(id, _client.sign_in(" ".join(PackedStringArray(request.scopes))))
		"sign_out":
			_report(id, _client.sign_out())
		"sign_in_silently":
			_report(id, _client.sign_in_silently())
		"subscribe":
			_subscriptions.get_or_add(request.name, []).append(_client.subscribe(request.name, _args_of(request)))
		"unsubscribe":
			for subscription: int in _subscriptions.get(request.name, []):
				_client.unsubscribe(subscription)
			_subscriptions.erase(request.name)
		"echo":
			_write({"event": "echo", "id": id})
		"close":
			_client.close()
			_write({"event": "closed"})


func _args_of(request: Dictionary) -> Dictionary:
	var args: Variant = request.get("args")
	return {} if args == null else args


func _report(id: int, call: SallyportCall) -> void:
	call.completed.connect(_on_completed.bind(id))


func _on_completed(call: SallyportCall, id: int) -> void:
	if call.is_ok():
		_write({"event": "result", "id": id, "data": call.data})
		return
	var error := call.error
	_write(
		{
			"event": "result",
			"id": id,
			"error":
			{"kind": _kind_of(error.code), "code": error.code, "message": error.message, "retry_after_ms": error.retry_after_ms}
		}
	)


func _kind_of(code: int) -> String:
	if code > 0:
		return "refused"
	match code:
		SallyportError.TIMEOUT:
			return "timeout"
		SallyportError.CLOSED:
			return "closed"
		SallyportError.CONNECTION_LOST:
			return "lost"
	return "not-sent"


func _on_state_changed(state: SallyportClient.State, error: SallyportError) -> void:
	_write(
		{
			"event": "state",
			"name": STATES[state],
			"close_code": 0 if error == null else error.close_code,
			"message": "" if error == null else error.message
		}
	)


func _on_event_received(event: String, data: Dictionary) -> void:
	_write({"event": "dispatch", "name": event, "data": data})
