extends Control
## Dockside, a small game that uses the bridge: it signs in, sets a presence, joins a lobby and chats there.
## Restart the daemon while it runs: the game waits, reconnects, and continues. Without a daemon it starts all the same.
## Twin of bindings/c/examples/dockside.c. Options after `--`: --fast, --rounds N, --secret TEXT, --runtime-dir FOLDER.

enum Step { SIGN_IN, SIGN_IN_ASKING, JOIN, SHOW, CHAT, HISTORY, CLEAR, OVER }

const SHIPS: Array[String] = ["Copper Wren", "Patient Ada", "Salt Margin", "Northern Comma", "Quiet Quorum", "Second Breakfast"]
const CARGOES: Array[String] = ["oranges", "piano keys", "umbrellas", "printing ink", "snow globes", "bicycle bells"]

var _step := Step.SIGN_IN
var _rounds := 5
var _round := 0
var _score := 0
## Whether the line of this round was sent, perhaps in vain.
var _may_be_sent := false
## Part of the mark of each line.
var _game := "%08x" % randi()
var _pause := 0.75
var _secret := "dockside-pier-9"
var _lobby := ""
var _heard := 0
var _is_lost := false

@onready var _bridge: SallyportClient = $Bridge
@onready var _log: RichTextLabel = $Log


func _ready() -> void:
	_read_options()
	_bridge.session_ready.connect(_on_session_ready)
	_bridge.not_available.connect(_on_not_available)
	_bridge.disconnected.connect(_on_disconnected)
	_bridge.account_changed.connect(_on_account_changed)
	_bridge.activity_join.connect(_on_activity_join)
	_bridge.authorize_request.connect(_on_authorize_request)
	_bridge.lobby_message_create.connect(_on_lobby_message)
	_bridge.open()
	_play()


func _read_options() -> void:
	var words := OS.get_cmdline_user_args()
	for at in words.size():
		var value := words[at + 1] if at + 1 < words.size() else ""
		match words[at]:
			"--fast":
				_pause = 0.06
			"--rounds":
				_rounds = clampi(value.to_int(), 1, 100)
			"--secret":
				_secret = value
			"--runtime-dir":
				_bridge.runtime_dir = value


func _say(line: String) -> void:
	print(line)
	_log.add_text(line + "\n")


## The rules of the game: one step after another, and the same step again after a loss.
func _play() -> void:
	while _step != Step.OVER:
		await get_tree().create_timer(_pause).timeout
		if not _bridge.is_session_ready():
			await _bridge.session_ready
			continue
		match _step:
			Step.SIGN_IN:
				await _sign_in(_bridge.sign_in_silently())
			Step.SIGN_IN_ASKING:
				_say("asking for your permission (a browser page may open) ...")
				await _sign_in(_bridge.ask_to_sign_in(SallyportProtocol.DEFAULT_COMMUNICATION_SCOPES))
			Step.JOIN:
				await _join()
			Step.SHOW:
				await _show()
			Step.CHAT:
				await _chat()
			Step.HISTORY:
				await _read_history()
			Step.CLEAR:
				var done: SallyportCall = await _bridge.clear_activity().completed
				if _succeeded(done):
					_step = Step.OVER
	_say("\n%d crates ashore. Fair winds!" % _score)
	get_tree().quit()


## What every response does first. After an error the step is repeated, or the game ends.
func _succeeded(done: SallyportCall) -> bool:
	if done.is_ok():
		return true
	match done.error.code:
		SallyportProtocol.ErrorCode.INVALID_TOKEN, SallyportProtocol.ErrorCode.INVALID_PERMISSIONS:
			_step = Step.SIGN_IN
		SallyportProtocol.ErrorCode.INVALID_LOBBY:
			_step = Step.JOIN
		SallyportProtocol.ErrorCode.UNKNOWN_OUTCOME:
			_say("  ~ the bridge does not know whether the line was sent")
		_:
			if done.error.code > 0 and not done.error.is_retryable():
				printerr("Dockside failed: %s (%s)" % [done.error.message, done.error.code_name])
				_step = Step.OVER
				get_tree().quit(1)
	return false


func _sign_in(pending: SallyportCall) -> void:
	var is_silent := _step == Step.SIGN_IN
	var done: SallyportCall = await pending.completed
	if is_silent and not done.is_ok() and done.error.code == SallyportProtocol.ErrorCode.INVALID_TOKEN:
		_step = Step.SIGN_IN_ASKING
	elif _succeeded(done):
		_say("signed in as %s" % done.data.user.username)
		_step = Step.JOIN


func _join() -> void:
	var done: SallyportCall = await _bridge.request(SallyportProtocol.COMMAND_CREATE_OR_JOIN_LOBBY, {"secret": _secret}).completed
	if not _succeeded(done):
		return
	var lobby: String = done.data.id
	_say("the crew meets in lobby %s" % lobby)
	if lobby != _lobby:
		_lobby = lobby
		_bridge.subscribe(SallyportProtocol.EVENT_LOBBY_MESSAGE_CREATE, {"lobby_id": lobby})
	_step = _next_step()


func _next_step() -> Step:
	return Step.SHOW if _round < _rounds else Step.HISTORY


func _show() -> void:
	var ship := SHIPS[_round % SHIPS.size()]
	_say("\n[%d/%d] the %s comes alongside" % [_round + 1, _rounds, ship])
	var activity := {"name": "Dockside", "details": "Unloading the %s" % ship, "state": "%d crates ashore" % _score}
	var done: SallyportCall = await _bridge.set_activity(activity).completed
	if _succeeded(done) and _step == Step.SHOW:
		_step = Step.CHAT


## Sends the line of this round once: it has a mark, and after an error the history tells whether it was sent.
func _chat() -> void:
	# The tide swallows a few crates every third time.
	@warning_ignore("integer_division")
	var landed := 8 + (_round * 7) % 9 - (1 + _round % 4 if _round % 3 == 2 else 0)
	var content := "%s: %d crates of %s ashore" % [SHIPS[_round % SHIPS.size()], landed, CARGOES[(_round * 5 + 2) % CARGOES.size()]]
	var mark := "%s-%d" % [_game, _round]
	var is_sent := false
	if _may_be_sent:
		var history: SallyportCall = await _history().completed
		if not _succeeded(history):
			return
		is_sent = history.data.any(func(one: Dictionary) -> bool: return _mark_of(one) == mark)
	if not is_sent:
		_may_be_sent = true
		var line := {"lobby_id": _lobby, "content": content, "metadata": {"mark": mark}}
		is_sent = _succeeded(await _bridge.request(SallyportProtocol.COMMAND_SEND_LOBBY_MESSAGE, line).completed)
	if not is_sent:
		return
	_may_be_sent = false
	_score += landed
	_round += 1
	# After a reconnect the client repeated the call, and the game joins first.
	if _step == Step.CHAT:
		_step = _next_step()


func _mark_of(message: Dictionary) -> String:
	var metadata: Variant = message.get("metadata")
	return metadata.get("mark", "") if metadata is Dictionary else ""


func _history() -> SallyportCall:
	return _bridge.request(SallyportProtocol.COMMAND_GET_LOBBY_MESSAGES, {"lobby_id": _lobby, "limit": 50})


func _read_history() -> void:
	var done: SallyportCall = await _history().completed
	if not _succeeded(done):
		return
	_say("\nthe lobby remembers:")
	for message: Dictionary in done.data:
		_say("  %s: %s" % [message.author.username, message.content])
	_step = Step.CLEAR


func _on_session_ready() -> void:
	if not _is_lost:
		_say("Dockside - pier 9, via %s" % _bridge.get_server_path())
		return
	_is_lost = false
	var restored := _bridge.get_restored()
	var words: Array[String] = []
	if restored.sign_in != "none":
		words.append("signed in" if restored.sign_in == "done" else "sign-in refused")
	words.append("subscriptions refused" if restored.refused_subscriptions > 0 else "subscribed")
	if restored.presence != "none":
		words.append("presence set" if restored.presence == "done" else "presence refused")
	_say("  ~ back after %.1f s: %s" % [restored.outage_ms / 1000.0, ", ".join(words)])
	if restored.sign_in == "failed":
		_step = Step.SIGN_IN


func _on_not_available(error: SallyportError) -> void:
	_say("  ~ no bridge yet (%s); the pier is open anyway" % error.code_name)


func _on_disconnected(_error: SallyportError) -> void:
	_say("  ~ connection to the bridge lost, waiting")
	_is_lost = true
	# After a restart the lobby has a new id; the secret finds it again.
	if _step > Step.JOIN and _step < Step.CLEAR:
		_step = Step.JOIN


func _on_account_changed(account: SallyportClient.Account) -> void:
	if account == SallyportClient.ACCOUNT_REVOKED:
		_say("  ~ your permission was revoked")


func _on_activity_join(_data: Dictionary) -> void:
	_say("  ~ a friend joins the pier")


func _on_authorize_request(_data: Dictionary) -> void:
	_say("  ~ the platform requests to link your account")
	if _step == Step.SIGN_IN:
		_step = Step.SIGN_IN_ASKING


func _on_lobby_message(message: Dictionary) -> void:
	_heard += 1
	_say("  ~ heard in the lobby: %s" % message.get("content", ""))
