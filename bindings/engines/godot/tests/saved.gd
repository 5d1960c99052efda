extends Node
## The script of the scene that the editor saved: a game that signs in, and pauses.

@onready var _bridge: SallyportClient = $Bridge


func _ready() -> void:
	Engine.max_fps = 240
	_run()


func _run() -> void:
	if not _bridge.is_session_ready():
		await _bridge.session_ready
	print("ok 1 - the saved node connects")
	get_tree().paused = true
	var done: SallyportCall = await _bridge.request("ECHO", {"paused": true}).completed
	print("%s 2 - a paused game gets responses" % ("ok" if done.data == {"paused": true} else "not ok"))
	var is_kept: bool = _bridge.get_restored().active_subscriptions == 1
	print("%s 3 - the saved events are subscribed" % ("ok" if is_kept else "not ok"))
	print("1..3")
	get_tree().quit()
