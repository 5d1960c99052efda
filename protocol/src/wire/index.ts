/** Constants of the framed local protocol. Plain values, no schema library, so that every layer may read them. */

/** Frame types, first word of the header (uint32 little endian). */
export const OPCODES = { HANDSHAKE: 0, FRAME: 1, CLOSE: 2, PING: 3, PONG: 4 } as const
export type OpcodeName = keyof typeof OPCODES
export type Opcode = (typeof OPCODES)[OpcodeName]

/** opcode (uint32 LE) + payload length in bytes (uint32 LE). */
export const HEADER_BYTES = 8

/** The only version of the local protocol (`v` in the handshake). */
export const PROTOCOL_VERSION = 1

/** Version of this contract, MAJOR.MINOR; a peer may name it in its handshake. */
export const CONTRACT_VERSION = '1.0'

/** Slots that clients try, ascending. */
export const SLOT_COUNT = 10

/** Last part of a socket's or pipe's name. */
export const slotName = (ipcPrefix: string, slot: number): string => `${ipcPrefix}-${slot}`

/** Encodings a handshake may choose for the payloads that follow it. */
export const ENCODINGS = ['json', 'msgpack'] as const
export type EncodingName = (typeof ENCODINGS)[number]

export {
  type FileFacts,
  fileMark,
  type FileKind,
  type Flaw,
  isKind,
  isOwnSocket,
  isSharedFolder,
  privateFlaw,
  privateFolderName,
  socketFolderFlaw,
} from './ownership.ts'
