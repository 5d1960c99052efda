/** Maps connection stage and frame opcode to an action. Pure and without allocation, because it runs once per frame. */
import { CLOSE_CODES } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'

/** `handshaking` → `ready` (READY was sent) → `closing` (our side is closed, the peer's is not) → `closed`. */
export type Stage = 'handshaking' | 'ready' | 'closing' | 'closed'

/** What the connection does with a frame. */
export type Step =
  | { readonly action: 'accept' | 'dispatch' | 'pong' | 'pong-received' | 'ignore' | 'close' }
  | { readonly action: 'refuse'; readonly code: number; readonly reason: string }

const ACCEPT: Step = { action: 'accept' }
const DISPATCH: Step = { action: 'dispatch' }
const PONG: Step = { action: 'pong' }
const PONG_RECEIVED: Step = { action: 'pong-received' }
const IGNORE: Step = { action: 'ignore' }
const CLOSE: Step = { action: 'close' }
const refuse = (reason: string): Step => ({ action: 'refuse', code: CLOSE_CODES.CLOSE_UNSUPPORTED.code, reason })

const UNKNOWN_OPCODE = refuse('Unknown opcode: 0 handshake, 1 frame, 2 close, 3 ping and 4 pong are the frame types.')

const STEPS: Readonly<Record<Stage, Readonly<Record<number, Step>>>> = {
  handshaking: {
    [OPCODES.HANDSHAKE]: ACCEPT,
    [OPCODES.FRAME]: refuse('A frame arrived before the handshake.'),
    [OPCODES.CLOSE]: CLOSE,
    // Other servers check whether a slot has a live owner with a PING before any handshake.
    [OPCODES.PING]: PONG,
    [OPCODES.PONG]: IGNORE,
  },
  ready: {
    [OPCODES.HANDSHAKE]: refuse('A second handshake arrived on this connection.'),
    [OPCODES.FRAME]: DISPATCH,
    [OPCODES.CLOSE]: CLOSE,
    [OPCODES.PING]: PONG,
    [OPCODES.PONG]: PONG_RECEIVED,
  },
  closing: {},
  closed: {},
}

/** The step for a frame with this opcode. Frames are ignored once the connection is closing. */
export const stepFor = (stage: Stage, opcode: number): Step =>
  STEPS[stage][opcode] ?? (stage === 'handshaking' || stage === 'ready' ? UNKNOWN_OPCODE : IGNORE)
