extends RefCounted
## The frames of one connection of [SallyportStream], over a StreamPeerUDS of Godot 4.6.

## What a server accepts, and what is accepted of it.
const LARGEST_FRAME := 1_048_576
const CONNECTED := 2

## Not typed, so that the script loads where the class is missing.
var _peer: StreamPeer
var _input := PackedByteArray()
var _output := PackedByteArray()


## Begins to connect. Returns whether it can.
func open(path: String) -> bool:
	_peer = ClassDB.instantiate("StreamPeerUDS")
	return _peer.call("connect_to_host", path) == OK


func close() -> void:
	if _peer != null:
		_peer.call("disconnect_from_host")
	_peer = null
	_input.clear()
	_output.clear()


## Sends what waits, and reads at most one frame more than was taken. Returns whether the connection is open.
func exchange() -> bool:
	_peer.call("poll")
	_flush()
	return _read()


## The server may end the connection for a larger payload.
func put(opcode: int, payload: PackedByteArray) -> void:
	# A server that sends PINGs and reads nothing cannot fill the memory.
	if opcode == SallyportProtocol.Opcode.PONG and _output.size() > LARGEST_FRAME:
		return
	var head := PackedByteArray()
	head.resize(SallyportProtocol.HEADER_BYTES)
	head.encode_u32(0, opcode)
	head.encode_u32(4, payload.size())
	_output.append_array(head)
	_output.append_array(payload)


## Whether the next frame is larger than accepted: nothing after it can be read.
func is_broken() -> bool:
	return _input.size() >= SallyportProtocol.HEADER_BYTES and _input.decode_u32(4) > LARGEST_FRAME


## Whether a whole frame has come.
func has_frame() -> bool:
	return (
		_input.size() >= SallyportProtocol.HEADER_BYTES
		and not is_broken()
		and _input.size() >= SallyportProtocol.HEADER_BYTES + _input.decode_u32(4)
	)


## The opcode of the frame that [method take] takes next.
func next_opcode() -> int:
	return _input.decode_u32(0)


## Takes the first frame, which has come, and returns its payload.
func take() -> PackedByteArray:
	var end := SallyportProtocol.HEADER_BYTES + _input.decode_u32(4)
	var payload := _input.slice(SallyportProtocol.HEADER_BYTES, end)
	_input = _input.slice(end)
	return payload


func _read() -> bool:
	if _peer.call("get_status") != CONNECTED:
		return false
	var room := LARGEST_FRAME + SallyportProtocol.HEADER_BYTES - _input.size()
	if room <= 0:
		return true
	var result: Array = _peer.get_partial_data(room)
	if result[0] != OK:
		return false
	_input.append_array(result[1])
	return true


func _flush() -> void:
	if _output.is_empty():
		return
	var result: Array = _peer.put_partial_data(_output)
	if result[0] == OK:
		_output = _output.slice(result[1])
