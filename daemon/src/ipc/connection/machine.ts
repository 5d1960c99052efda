/** What a frame means at each stage of a connection, as a table. Pure, and without allocation: it runs once per frame. */
import { CLOSE_CODES } from '@sallyport/protocol'
import { OPCODES } from '@sallyport/protocol/wire'

/** `opened` → `ready` (READY was sent) → `closing` (our end is closed, theirs not yet) → `closed`. */
export type Stage = 'opened' | 'ready' | 'closing' | 'closed'

/** What the session does next. */
export type Step =
  | { readonly does: 'greet' | 'dispatch' | 'pong' | 'answered' | 'nothing' | 'farewell' }
  | { readonly does: 'refuse'; readonly code: number; readonly reason: string }

const GREET: Step = { does: 'greet' }
const DISPATCH: Step = { does: 'dispatch' }
const PONG: Step = { does: 'pong' }
const ANSWERED: Step = { does: 'answered' }
const NOTHING: Step = { does: 'nothing' }
const FAREWELL: Step = { does: 'farewell' }
const refuse = (reason: string): Step => ({ does: 'refuse', code: CLOSE_CODES.CLOSE_UNSUPPORTED.code, reason })

const UNKNOWN_OPCODE = refuse('Unknown opcode: 0 handshake, 1 frame, 2 close, 3 ping and 4 pong are the frame types.')

const STEPS: Readonly<Record<Stage, Readonly<Record<number, Step>>>> = {
  opened: {
    [OPCODES.HANDSHAKE]: GREET,
    [OPCODES.FRAME]: refuse('A frame came before the handshake.'),
    [OPCODES.CLOSE]: FAREWELL,
    // Servers look for a living owner of a slot by a ping without a handshake.
    [OPCODES.PING]: PONG,
    [OPCODES.PONG]: NOTHING,
  },
  ready: {
    [OPCODES.HANDSHAKE]: refuse('A second handshake came on one connection.'),
    [OPCODES.FRAME]: DISPATCH,
    [OPCODES.CLOSE]: FAREWELL,
    [OPCODES.PING]: PONG,
    [OPCODES.PONG]: ANSWERED,
  },
  closing: {},
  closed: {},
}

/** The step for a frame of this opcode. Nothing is read after a connection began to close. */
export const stepFor = (stage: Stage, opcode: number): Step =>
  STEPS[stage][opcode] ?? (stage === 'opened' || stage === 'ready' ? UNKNOWN_OPCODE : NOTHING)
