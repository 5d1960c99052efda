/** What a game of the load can do, however it is written. */
import type { GamePlan } from './plan.ts'

/** The answer to a call. */
export interface Answer {
  /** Of the error; undefined when the call succeeded. */
  readonly code: number | undefined
  readonly data: unknown
}

/** The connection ended before the answer. */
export class Lost extends Error {
  override readonly name = 'Lost'
}

/** Gets what no call asked for. */
export interface GameListener {
  /** An event that the game is subscribed to, or one of the bridge. */
  readonly onEvent: (event: string, data: unknown) => void
  /** The connection ended, not by the game itself. */
  readonly onLost: (why: string) => void
  /** The server broke a rule of the protocol: a second answer, an answer to nothing. */
  readonly onBroken: (why: string) => void
}

export interface Game {
  readonly plan: GamePlan
  readonly isOpen: boolean
  /** Connects; resolves at READY. Rejects when it does not get it. */
  open(): Promise<void>
  /** Rejects with Lost. */
  call(command: string, args: object): Promise<Answer>
  subscribe(event: string, args: object): Promise<Answer>
  unsubscribe(event: string, args: object): Promise<Answer>
  /** Ends its connection; `politely`: with a word, where its kind of client can say one. */
  leave(politely: boolean): Promise<void>
}
