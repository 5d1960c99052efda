/** A lobby for a sample game whose server does not always say what became of a line. */
import { ERRORS } from '@sallyport/protocol/errors'
import { errorFor, responseTo } from '#test/support/scripted-server.ts'
import type { Commands } from './obedient-server.ts'

type Reply = 'answer' | 'break' | 'unknown'

/** What becomes of a line with a new key: whether the lobby has it, and what the game gets for it and for its repeat. */
interface Fate {
  readonly isTaken: boolean
  readonly first: Reply
  readonly repeat?: Reply
}

const FATES: readonly Fate[] = [
  { isTaken: true, first: 'break', repeat: 'answer' },
  { isTaken: true, first: 'unknown' },
  { isTaken: false, first: 'unknown' },
  { isTaken: true, first: 'answer' },
  { isTaken: true, first: 'break', repeat: 'unknown' },
]
const KNOWN: Fate = { isTaken: true, first: 'answer' }
const UNKNOWN_OUTCOME = { code: ERRORS.UNKNOWN_OUTCOME.code, message: 'The bridge was killed before the answer.' }
const LOBBY = '70'

export class BreakingLobby {
  /** Lines that took effect, in order. */
  readonly lines: string[] = []
  readonly #messages: unknown[] = []
  readonly #repeats = new Map<unknown, Reply>()
  #calls = 0
  #isHistoryLost = false
  readonly #rounds: number

  constructor(rounds: number) {
    this.#rounds = rounds
  }

  /** The history breaks once, when the lobby has all lines. */
  readonly commands: Commands = {
    CREATE_OR_JOIN_LOBBY: (call, socket) => socket.write(responseTo(call, { id: LOBBY })),
    SEND_LOBBY_MESSAGE: (call, socket) => {
      const reply = this.#repeats.get(call.key) ?? this.#take(call.key, call.args)
      if (reply === 'break') socket.destroy()
      else socket.write(reply === 'answer' ? responseTo(call, this.#messages.at(-1)) : errorFor(call, UNKNOWN_OUTCOME))
    },
    GET_LOBBY_MESSAGES: (call, socket) => {
      const isLost = !this.#isHistoryLost && this.lines.length === this.#rounds
      this.#isHistoryLost ||= isLost
      if (isLost) socket.destroy()
      else socket.write(responseTo(call, this.#messages))
    },
  }

  #take(key: unknown, args: { readonly content: string }): Reply {
    const { isTaken, first, repeat = first } = FATES[this.#calls] ?? KNOWN
    this.#calls += 1
    this.#repeats.set(key, repeat)
    if (isTaken) {
      this.lines.push(args.content)
      this.#messages.push({ ...args, id: String(this.#calls), author: { id: '1', username: 'ada' } })
    }
    return first
  }
}
