/** Tracks how much each program uses of every shared resource. Every allocation is charged here first. */
import type { Clock } from '@sallyport/core/clock'
import { programKey, type Program } from '../identity/program.ts'
import { type ConnectionUsage, Connections, type MeteredConnection, type OnHeld } from './connections.ts'
import { Ledger, type Share } from './ledger.ts'
import { RESOURCES, type ResourceName } from './resources.ts'
import { Window } from './window.ts'

/** Releases a charge. Idempotent. */
export type Release = () => void

type WindowName = { [Name in ResourceName]: (typeof RESOURCES)[Name] extends { windowMs: number } ? Name : never }[ResourceName]
type HeldName =
  | 'authorizePages'
  | 'callKeyBytes'
  | 'callKeys'
  | 'consentPrompts'
  | 'detachedCallBytes'
  | 'deviceAuthorizations'
  | 'subscriptions'
  | 'uploads'
  | 'webConnections'

/** Amount of a resource in use, and the number of refused charges since the start. Contains no names of programs. */
interface Usage {
  readonly name: ResourceName
  readonly charged: number
  readonly refused: number
}

/** All web pages count as one program, because any program can claim to be one with another origin. */
export const ALL_WEB_PAGES: Program = { kind: 'page', uid: undefined, executable: undefined, file: undefined }

export class Accounting {
  readonly #isGranted: (program: Program) => boolean
  readonly #connections: Connections
  readonly #held: Readonly<Record<HeldName, Ledger>>
  readonly #windows: Readonly<Record<WindowName, Window>>

  /**
   * `isGranted`: whether a program has a live grant. Asked only where the limits without a grant are reached. `onHeld`: connections made the
   * daemon hold so many bytes more; also asks for their program's grant.
   */
  constructor(clock: Clock, isGranted: (program: Program) => boolean = () => false, onHeld: OnHeld = () => {}) {
    this.#isGranted = isGranted
    this.#connections = new Connections(clock, onHeld)
    this.#held = {
      authorizePages: new Ledger(RESOURCES.authorizePages),
      deviceAuthorizations: new Ledger(RESOURCES.deviceAuthorizations),
      webConnections: new Ledger(RESOURCES.webConnections),
      uploads: new Ledger(RESOURCES.uploads),
      consentPrompts: new Ledger(RESOURCES.consentPrompts),
      detachedCallBytes: new Ledger(RESOURCES.detachedCallBytes),
      callKeys: new Ledger(RESOURCES.callKeys),
      callKeyBytes: new Ledger(RESOURCES.callKeyBytes),
      subscriptions: new Ledger(RESOURCES.subscriptions),
    }
    this.#windows = {
      authorizePagesOpened: new Window(RESOURCES.authorizePagesOpened, clock),
      invalidCallbacks: new Window(RESOURCES.invalidCallbacks, clock),
      unauthenticatedFailures: new Window(RESOURCES.unauthenticatedFailures, clock),
      authenticatedFailures: new Window(RESOURCES.authenticatedFailures, clock),
    }
  }

  /** Opens the usage record of a connection. Close it with `end`, also when it is refused. */
  connect(program: Program, member: MeteredConnection): ConnectionUsage {
    return this.#connections.open({ key: programKey(program), isGranted: () => this.#isGranted(program) }, member)
  }

  /** Opens a share that is charged again and again. Close it with `close`. */
  share(name: HeldName, program: Program): Share {
    return this.#held[name].share(programKey(program), () => this.#isGranted(program))
  }

  /** The same, of a program whose key was stored. It has no reserve of programs with a grant. */
  shareOf(name: HeldName, key: string): Share {
    return this.#held[name].share(key)
  }

  /** Charges one item, or this amount; undefined when the program or the resource would be over its limit. */
  charge(name: HeldName, program: Program, amount = 1): Release | undefined {
    const share = this.share(name, program)
    if (share.tryCharge(amount)) return () => share.close()
    share.close()
    return undefined
  }

  /** The counter of a resource with a time window. */
  window(name: WindowName): Window {
    return this.#windows[name]
  }

  usage(): readonly Usage[] {
    const { connections, frames, calls, callBytes, unsent } = this.#connections.ledgers
    const windows = Object.entries(this.#windows).map(([name, { ledger }]) => [name, ledger] as const)
    const ledgers: Readonly<Record<ResourceName, Ledger>> = {
      connections,
      unfinishedFrameBytes: frames,
      pendingCalls: calls,
      pendingCallBytes: callBytes,
      unsentBytes: unsent,
      ...this.#held,
      ...(Object.fromEntries(windows) as Record<WindowName, Ledger>),
    }
    return Object.entries(ledgers).map(([name, { sum, refused }]) => ({ name: name as ResourceName, charged: sum, refused }))
  }
}
