class_name SallyportAbsentClient
extends SallyportEventSignals
## The client of a platform without a library, with the methods, properties and signals of [SallyportClient]. It says once, by [signal not_available],
## that there is no bridge. Its calls end with the code [constant Sallyport.NO_LIBRARY].

signal state_changed(state: Sallyport.State, error: Problem)
@warning_ignore("unused_signal")
signal session_ready
signal not_available(error: Problem)
@warning_ignore("unused_signal")
signal disconnected(error: Problem)
@warning_ignore("unused_signal")
signal subscription_refused(subscription: int, error: Problem)
@warning_ignore("unused_signal")
signal account_changed(account: Sallyport.Account)
@warning_ignore("unused_signal")
signal event_received(event: String, data: Dictionary)

var application_id := ""
var auto_open := true
var events := PackedStringArray()
var require_bridge := false
var allow_packaged_client := false
var max_pending_calls := 64
var max_subscriptions := 256
var runtime_dir := ""
var sdk_version := ""

var _state := Sallyport.State.OFFLINE
var _subscriptions: Dictionary[int, String] = {}
var _last_subscription := 0


func _enter_tree() -> void:
	if auto_open:
		var _code := open()


func _exit_tree() -> void:
	close()


func open(_timeout_ms: int = -1) -> int:
	_state = Sallyport.State.OFFLINE
	_report.call_deferred()
	return Sallyport.Failure.NO_LIBRARY


func close() -> void:
	if _state == Sallyport.State.CLOSED:
		return
	_state = Sallyport.State.CLOSED
	state_changed.emit(_state, null)


func poll() -> int:
	return 0


func request(_command: String, _args: Dictionary = {}, _timeout_ms: int = 0, _key: String = "") -> Call:
	return Call.new()


func create_key() -> String:
	return SallyportStream.create_key()


func set_activity(_activity: Dictionary) -> Call:
	return Call.new()


func clear_activity() -> Call:
	return Call.new()


func sign_in(_scopes: String = "") -> Call:
	return Call.new()


func sign_in_silently() -> Call:
	return Call.new()


func ask_to_sign_in(_scopes: String = "") -> Call:
	return Call.new()


func sign_out() -> Call:
	return Call.new()


func ping() -> Call:
	return Call.new()


func subscribe(event: String, _args: Dictionary = {}) -> int:
	_last_subscription += 1
	_subscriptions[_last_subscription] = event
	return _last_subscription


func unsubscribe(subscription: int) -> bool:
	return _subscriptions.erase(subscription)


func get_state() -> Sallyport.State:
	return _state


func is_session_ready() -> bool:
	return false


func get_account() -> Sallyport.Account:
	return Sallyport.Account.SIGNED_OUT


func get_restored() -> Dictionary:
	return {}


func get_user_id() -> String:
	return ""


func is_bridge() -> bool:
	return false


func get_server_path() -> String:
	return ""


## The native client reports at a poll, when the scripts of the scene have connected their signals.
func _report() -> void:
	if _state == Sallyport.State.OFFLINE:
		not_available.emit(Problem.new())


## The members of [SallyportError].
class Problem:
	extends RefCounted

	var code: int = Sallyport.Failure.NO_LIBRARY
	var code_name := "E_NO_LIBRARY"
	var message := "The add-on has no library for this platform; play without a presence."
	var retry_after_ms := 0
	var close_code := 0

	func is_retryable() -> bool:
		return false


## The members of [SallyportCall].
class Call:
	extends RefCounted

	signal completed(call: Call)

	var data: Variant = null
	var error := Problem.new()

	func _init() -> void:
		_complete.call_deferred()

	func is_completed() -> bool:
		return true

	func is_ok() -> bool:
		return false

	func _complete() -> void:
		completed.emit(self)
