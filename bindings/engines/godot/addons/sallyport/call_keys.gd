extends RefCounted
## The keys of the calls of [SallyportStream], and the account that a key belongs to: under another account it would be another key, and the
## bridge would make the call a second time.

const KEY_BYTES := 16
const DIGITS := "0123456789abcdef"
## The bridge keeps a key for twice as long.
const REPEAT_MS := SallyportProtocol.LIMIT_MAX_DEADLINE_MS
const CHANGE_ACCOUNT: Array[String] = [
	SallyportProtocol.COMMAND_AUTHENTICATE,
	SallyportProtocol.COMMAND_UPDATE_TOKEN,
	SallyportProtocol.COMMAND_FORGET_TOKENS,
]

## Whether the server of this connection makes a call with a key once.
var is_kept := false
var _random: Object
var _account: Variant = ""
## Whether the game signed in or out in this connection.
var _has_chosen := false
## Calls that change the account and have no answer. After a time limit the server may still execute one.
var _unanswered := 0


## [param random] generates random bytes as [Crypto] does.
func _init(random: Object = Crypto.new()) -> void:
	_random = random


## The user whose calls the server makes; empty for nobody; null while it is not certain.
func account() -> Variant:
	return _account if _unanswered == 0 else null


## Whether it is known for which account this connection is. Until then the calls of another account can wait.
func is_settled() -> bool:
	return _has_chosen and _unanswered == 0


func connected(facts: Dictionary) -> void:
	is_kept = is_same(facts.get("call_keys"), true)
	_account = ""
	_has_chosen = false
	_unanswered = 0


func signed_out() -> void:
	_account = ""


## Why a call cannot be sent; empty if it can. [param given] is the key of the game, and [param key] is what [method key_of] returned.
func problem_of(command: String, given: String, key: String) -> String:
	if given == "":
		var is_missing := key == "" and _takes_key(command)
		return "nothing was sent: the system has no random source for the key of the call" if is_missing else ""
	if not SallyportProtocol.KEYED_COMMANDS.has(command):
		return "nothing was sent: %s takes no key" % command
	var is_key := given.length() == 2 * KEY_BYTES
	for digit in given:
		is_key = is_key and DIGITS.contains(digit)
	if not is_key:
		return "nothing was sent: a key is 32 hexadecimal digits in lower case"
	return "" if is_kept else "nothing was sent: this server keeps no keys, so a repeat could take effect twice"


## The key of a call: that of the game, or a new one. Empty for a call that has none, and without a random source.
func key_of(command: String, given: String) -> String:
	if not _takes_key(command):
		return ""
	return given if given != "" else create(_random)


## A new key; empty without a random source.
static func create(random: Object = Crypto.new()) -> String:
	# An engine without its module for cryptography has no instance.
	var bytes: PackedByteArray = PackedByteArray() if random == null else random.call("generate_random_bytes", KEY_BYTES)
	return bytes.hex_encode() if bytes.size() == KEY_BYTES else ""


func sent(command: String) -> void:
	_unanswered += int(CHANGE_ACCOUNT.has(command))


## Learns from an answer. Returns whether calls that wait may be decided now.
func answered(command: String, data: Variant, is_error: bool) -> bool:
	if not CHANGE_ACCOUNT.has(command):
		return false
	_unanswered -= 1
	if is_error:
		return true
	_has_chosen = true
	if command == SallyportProtocol.COMMAND_FORGET_TOKENS:
		signed_out()
		return true
	var user: Variant = data.get("user") if data is Dictionary else null
	var id: Variant = user.get("id") if user is Dictionary else null
	_account = id if id is String else null
	return true


func _takes_key(command: String) -> bool:
	return is_kept and SallyportProtocol.KEYED_COMMANDS.has(command)
