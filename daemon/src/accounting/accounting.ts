/** The one place that knows what each program holds of what all share. Whoever gives something out asks here first. */
import type { Clock } from '@sallyport/core/clock'
import { placeKey, type Program } from '../identity/program.ts'
import { type ConnectionAccount, Connections, type Member } from './connections.ts'
import { Ledger } from './ledger.ts'
import { RESOURCES, type ResourceName } from './resources.ts'
import { Window } from './window.ts'

/** Gives back what was charged. Once is enough. */
export type Release = () => void

type WindowName = { [Name in ResourceName]: (typeof RESOURCES)[Name] extends { windowMs: number } ? Name : never }[ResourceName]
type HeldName = 'pages' | 'deviceSignIns' | 'webConnections' | 'questions'

/** How much of a resource is in use, and how often more was asked for since the start. No names of programs. */
export interface Usage {
  readonly name: ResourceName
  readonly charged: number
  readonly refused: number
}

/** All pages in browsers are one program where they could be as many as they like: any program can say that it is one. */
export const PAGES_TOGETHER: Program = { kind: 'page', uid: undefined, executable: undefined, file: undefined }

export class Accounting {
  readonly #connections: Connections
  readonly #held: Readonly<Record<HeldName, Ledger>>
  readonly #windows: Readonly<Record<WindowName, Window>>

  constructor(clock: Clock) {
    this.#connections = new Connections(clock)
    this.#held = {
      pages: new Ledger(RESOURCES.pages),
      deviceSignIns: new Ledger(RESOURCES.deviceSignIns),
      webConnections: new Ledger(RESOURCES.webConnections),
      questions: new Ledger(RESOURCES.questions),
    }
    this.#windows = {
      pagesAsked: new Window(RESOURCES.pagesAsked, clock),
      wrongCallbacks: new Window(RESOURCES.wrongCallbacks, clock),
      strangerRequests: new Window(RESOURCES.strangerRequests, clock),
      refusedRequests: new Window(RESOURCES.refusedRequests, clock),
    }
  }

  /** Opens the account of a connection. Ended with `end`, also when it is refused. */
  connect(program: Program, member: Member): ConnectionAccount {
    return this.#connections.open(placeKey(program), member)
  }

  /** Charges one; undefined when the program has its share, or nothing is left. */
  charge(name: HeldName, program: Program): Release | undefined {
    const share = this.#held[name].share(placeKey(program))
    if (share.take(1)) return () => share.end()
    share.end()
    return undefined
  }

  /** What is counted for a time. */
  window(name: WindowName): Window {
    return this.#windows[name]
  }

  usage(): readonly Usage[] {
    const { connections, frames, calls, callBytes } = this.#connections.ledgers
    const windows = Object.entries(this.#windows).map(([name, { ledger }]) => [name, ledger] as const)
    const ledgers: Readonly<Record<ResourceName, Ledger>> = {
      connections,
      unfinishedFrames: frames,
      openCalls: calls,
      openCallBytes: callBytes,
      ...this.#held,
      ...(Object.fromEntries(windows) as Record<WindowName, Ledger>),
    }
    return Object.entries(ledgers).map(([name, { sum, refused }]) => ({ name: name as ResourceName, charged: sum, refused }))
  }
}
