/** Opens sockets of every kind as a service manager does: descriptors that no Node object owns. */
import { closeSync } from 'node:fs'

export const FAMILIES = { unix: 1, ipv4: 2, ipv6: 10 } as const
export const TYPES = { stream: 1, datagram: 2, packets: 5 } as const
const BACKLOG = 16

interface SocketKind {
  readonly family?: keyof typeof FAMILIES
  readonly type?: keyof typeof TYPES
  /** Of the Unix family; one that begins with NUL is abstract. */
  readonly path?: string
  readonly isListening?: boolean
}

const calls = () =>
  process.getBuiltinModule('node:ffi').dlopen(null, {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    socketpair: { arguments: ['int32', 'int32', 'int32', 'buffer'], return: 'int32' },
    bind: { arguments: ['int32', 'buffer', 'uint32'], return: 'int32' },
    listen: { arguments: ['int32', 'int32'], return: 'int32' },
  }).functions

/** On loopback, where it has no path; the system chooses the port. Close it with closeSync. */
export function openSocket({ family = 'unix', type = 'stream', path = '', isListening = true }: SocketKind): number {
  const { socket, bind, listen } = calls()
  const address = Buffer.alloc(family === 'unix' ? 2 + Buffer.byteLength(path) + (path.startsWith('\0') ? 0 : 1) : 28)
  address.writeUInt16LE(FAMILIES[family], 0)
  if (family === 'unix') address.write(path, 2)
  if (family === 'ipv4') address.writeUInt32BE(0x7f_00_00_01, 4)
  if (family === 'ipv6') address.writeUInt8(1, 23)
  const fd = socket(FAMILIES[family], TYPES[type], 0)
  if (fd < 0 || bind(fd, address, address.length) !== 0) throw new Error(`cannot bind a socket of ${family} at ${JSON.stringify(path)}`)
  if (isListening && listen(fd, BACKLOG) !== 0) throw new Error('cannot listen')
  return fd
}

/** Two connected sockets. */
export function openPair(): readonly [number, number] {
  const pair = Buffer.alloc(8)
  if (calls().socketpair(FAMILIES.unix, TYPES.stream, 0, pair) !== 0) throw new Error('cannot make a pair of sockets')
  return [pair.readInt32LE(0), pair.readInt32LE(4)]
}

export const closeAll = (descriptors: readonly number[]): void => {
  for (const fd of descriptors) closeSync(fd)
}
