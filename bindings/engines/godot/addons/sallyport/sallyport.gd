class_name Sallyport
extends RefCounted
## Makes the client for every platform. Where the add-on has a library, it is a [SallyportClient]. Elsewhere it is a node with the same methods,
## properties and signals, for which no bridge is ever there. A script that uses this class and no native one loads with and without a library.

## The states of [method SallyportClient.get_state].
enum State {
	OFFLINE,
	CONNECTING,
	READY,
	WAITING,
	CLOSED,
}
## The values of [method SallyportClient.get_account].
enum Account {
	SIGNED_OUT,
	SIGNED_IN,
	REVOKED,
}
## Codes of the client's own errors. Codes of the server are in [enum SallyportProtocol.ErrorCode].
enum Failure {
	ARGUMENT = -1,
	STATE = -2,
	REENTRANT = -3,
	MEMORY = -4,
	LIMIT = -5,
	TOO_LARGE = -6,
	JSON = -7,
	NOT_READY = -8,
	CONNECTION_LOST = -9,
	TIMEOUT = -10,
	NO_SERVER = -11,
	FOREIGN_SERVER = -12,
	SERVER_CLOSED = -13,
	PROTOCOL = -14,
	CLOSED = -15,
	SYSTEM = -16,
	## A presence that was not shown yet, and another one took its place.
	REPLACED = -17,
	## The add-on has no library for this platform.
	NO_LIBRARY = -100,
}

const NATIVE := &"SallyportClient"


## Whether this platform has a library of the add-on.
static func is_supported() -> bool:
	return ClassDB.class_exists(NATIVE)


## Returns a client that is not in the tree yet. Set its properties, then add it to a scene that stays loaded.
static func create() -> Node:
	if not is_supported():
		return SallyportAbsentClient.new()
	var client: Node = ClassDB.instantiate(NATIVE)
	return client
