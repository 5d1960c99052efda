/** Launches a game that its user joins while it does not run: by what it registered, else by the address every application of the platform has. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { type Program, programOf } from '../../identity/program.ts'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'
import { type LaunchPlan, readLaunchCommand } from './plan.ts'
import type { StartGame } from './start.ts'
import type { LaunchStore } from './store.ts'

/** A game that was launched is given this long to appear before it is launched again. */
export const PAUSE_MS = 10_000

export interface LaunchParts {
  readonly store: LaunchStore
  readonly clock: Clock
  readonly log: Logger
  readonly platform: NodeJS.Platform
  readonly start: StartGame
  /** Address that the platform's games are registered for. */
  readonly addressOf: (applicationId: string) => string
  /** Why this peer must not make us run what it could not run itself, as words after a verb; undefined when it may. */
  readonly outsider: (peer: PeerIdentity) => string | undefined
  /** Whether this path is a program that can be run. */
  readonly isProgram: (path: string) => boolean
  /** Identity of the file at a path; undefined when it cannot be looked at. */
  readonly fileAt: (path: string) => string | undefined
  /** Asks the user. Rejects when they do not allow it, or cannot be asked. */
  readonly ask: (launch: LaunchQuestion) => Promise<void>
}

/** What the user is asked about before anything is started for the first time, and after every change. */
export interface LaunchQuestion {
  readonly applicationId: string
  /** The program with its arguments, or the address. */
  readonly launch: string
  /** Who registered it; undefined for the address that every application of the platform has. */
  readonly by: Program | undefined
  readonly isChanged: boolean
}

export class Launches {
  readonly #parts: LaunchParts
  readonly #launchedAt = new Map<string, number>()

  constructor(parts: LaunchParts) {
    this.#parts = parts
  }

  /** Keeps how an application is launched. Throws INVALID_PAYLOAD, or SERVICE_UNAVAILABLE when it cannot be written. */
  register(applicationId: string, peer: PeerIdentity, command: string): void {
    const refused = this.#parts.outsider(peer)
    if (refused !== undefined) throw invalid(`cannot be kept${refused}`)
    const plan = readLaunchCommand(command, this.#parts.platform)
    if ('problem' in plan) throw invalid(plan.problem)
    if (plan.kind === 'program' && !this.#parts.isProgram(plan.program)) throw invalid('names no program that can be run')
    this.#parts.store.keep(applicationId, command.trim(), programOf(peer))
    this.#parts.log.info('launch-registered', { application: applicationId, kind: plan.kind })
  }

  /** Nothing happens when it was launched a moment ago. What goes wrong is logged: nobody waits for it. */
  async launch(applicationId: string): Promise<void> {
    const { clock, log, start } = this.#parts
    const now = clock.now()
    // One of a time to come was before the clock was set back.
    for (const [launched, at] of this.#launchedAt) if (now - at >= PAUSE_MS || now < at) this.#launchedAt.delete(launched)
    if (this.#launchedAt.has(applicationId)) return
    this.#launchedAt.set(applicationId, now)
    try {
      const { by, plan, ...registered } = this.#planOf(applicationId)
      await this.#allowed(applicationId, plan, registered)
      await start(plan)
      log.info('game-launched', { application: applicationId, by })
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : 'unknown reason'
      log.warn('game-not-launched', { application: applicationId, reason: `The game could not be launched: ${reason}. Start it by hand.` })
    }
  }

  /** Resolves when the user allowed this very launch, now or before: another command, and another file at its path, are asked about anew. */
  async #allowed(applicationId: string, plan: LaunchPlan, { command, program }: Registered): Promise<void> {
    const { store, ask, fileAt } = this.#parts
    const what = JSON.stringify([command, plan.kind === 'program' ? (fileAt(plan.program) ?? null) : null])
    const before = store.allowedFor(applicationId)
    if (before === what) return
    await ask({ applicationId, launch: command, by: program, isChanged: before !== undefined })
    store.allow(applicationId, what)
  }

  #planOf(applicationId: string): Registered & { readonly by: 'registration' | 'platform'; readonly plan: LaunchPlan } {
    const { store, addressOf, platform } = this.#parts
    const registration = store.registrationOf(applicationId)
    const address = addressOf(applicationId)
    if (registration === undefined) return { by: 'platform', plan: { kind: 'uri', uri: address }, command: address, program: undefined }
    const { command, by: program } = registration
    const plan = readLaunchCommand(command, platform)
    if ('problem' in plan) throw new Error(`its command ${plan.problem}`)
    return { by: 'registration', plan, command, program }
  }
}

interface Registered {
  readonly command: string
  readonly program: Program | undefined
}

const invalid = (what: string): BridgeError => new BridgeError('INVALID_PAYLOAD', `"command" ${what}.`, { path: 'command' })
