/** Constants of the framed local protocol. Plain values, no schema library, so every layer can import them. */

/** Frame types, first word of the header (uint32 little endian). */
export const OPCODES = { HANDSHAKE: 0, FRAME: 1, CLOSE: 2, PING: 3, PONG: 4 } as const
export type OpcodeName = keyof typeof OPCODES
export type Opcode = (typeof OPCODES)[OpcodeName]

/** opcode (uint32 LE) + payload length in bytes (uint32 LE). */
export const HEADER_BYTES = 8

/** The only version of the local protocol (`v` in the handshake). */
export const PROTOCOL_VERSION = 1

/** What a game should know about a call that succeeded; `warnings` of a response is a list of these, and absent without any. */
export interface CallWarning {
  /** Path of the argument, as in `path` of an error. */
  readonly path: string
  readonly reason: string
}

/** Version of this contract, MAJOR.MINOR; a peer can name it in its handshake. */
export const CONTRACT_VERSION = '1.0'

/** Number of slots that clients try, ascending. */
export const SLOT_COUNT = 10

/** Returns the last part of a socket path or pipe name. */
export const slotName = (ipcPrefix: string, slot: number): string => `${ipcPrefix}-${slot}`

/** Encodings that a handshake can select for later payloads. */
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
