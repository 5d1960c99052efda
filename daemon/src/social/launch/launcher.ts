/** Launches a game that does not run when its user accepts an invite: with its registered command, else with its platform URI. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import { type Program, programOf } from '../../identity/program.ts'
import type { PeerIdentity } from '../../ipc/transport/transport.ts'
import { type LaunchSpec, parseLaunchCommand } from './spec.ts'
import type { SpawnGame } from './spawn.ts'
import type { LaunchStore } from './store.ts'

/** A game is launched again only after this time. */
const RELAUNCH_COOLDOWN_MS = 10_000

interface LauncherDeps {
  readonly store: LaunchStore
  readonly clock: Clock
  readonly log: Logger
  readonly platform: NodeJS.Platform
  readonly spawn: SpawnGame
  /** The URI that the platform defines for each application. */
  readonly addressOf: (applicationId: string) => string
  /** The reason, as the end of a sentence, why this peer must not make the daemon run programs; undefined when it may. */
  readonly localAccessDenial: (peer: PeerIdentity) => string | undefined
  /** Whether this path is a program that can be run. */
  readonly isProgram: (path: string) => boolean
  /** Identity of the file at a path; undefined when it cannot be read. */
  readonly fileAt: (path: string) => string | undefined
  /** Prompts the user. Rejects when the user does not allow it or cannot be prompted. */
  readonly prompt: (launch: LaunchPrompt) => Promise<void>
}

/** The prompt before the first launch, and after each change of the command or the program. */
export interface LaunchPrompt {
  readonly applicationId: string
  /** The program with its arguments, or the URI. */
  readonly launch: string
  /** The program that registered it; undefined for the platform URI. */
  readonly by: Program | undefined
  readonly isChanged: boolean
}

export class GameLauncher {
  readonly #deps: LauncherDeps
  readonly #launchedAt = new Map<string, number>()

  constructor(deps: LauncherDeps) {
    this.#deps = deps
  }

  /** Stores the launch command of an application. Throws INVALID_PAYLOAD, or SERVICE_UNAVAILABLE when it cannot be written. */
  register(applicationId: string, peer: PeerIdentity, command: string): void {
    const denial = this.#deps.localAccessDenial(peer)
    if (denial !== undefined) throw invalid(`cannot be stored${denial}`)
    const spec = parseLaunchCommand(command, this.#deps.platform)
    if ('problem' in spec) throw invalid(spec.problem)
    if (spec.kind === 'program' && !this.#deps.isProgram(spec.program)) throw invalid('names no program that can be run')
    this.#deps.store.save(applicationId, command.trim(), programOf(peer))
    this.#deps.log.info('launch-registered', { application: applicationId, kind: spec.kind })
  }

  /** Launches the game unless it was launched a moment ago. Logs failures and never rejects. */
  async launch(applicationId: string): Promise<void> {
    const { clock, log, spawn } = this.#deps
    const now = clock.elapsed()
    for (const [launched, at] of this.#launchedAt) if (now - at >= RELAUNCH_COOLDOWN_MS) this.#launchedAt.delete(launched)
    if (this.#launchedAt.has(applicationId)) return
    this.#launchedAt.set(applicationId, now)
    try {
      const { by, spec, ...registered } = this.#specOf(applicationId)
      await this.#ensureAllowed(applicationId, spec, registered)
      await spawn(spec)
      log.info('game-launched', { application: applicationId, by })
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : 'unknown reason'
      log.warn('game-not-launched', { application: applicationId, reason: `The game could not be launched: ${reason}. Start it by hand.` })
    }
  }

  /** Resolves when the user allows this launch, or allowed it before. Prompts again for another command or another file at its path. */
  async #ensureAllowed(applicationId: string, spec: LaunchSpec, { command, program }: Registered): Promise<void> {
    const { store, prompt, fileAt } = this.#deps
    const what = JSON.stringify([command, spec.kind === 'program' ? (fileAt(spec.program) ?? null) : null])
    const before = store.allowedFor(applicationId)
    if (before === what) return
    await prompt({ applicationId, launch: command, by: program, isChanged: before !== undefined })
    store.allow(applicationId, what)
  }

  #specOf(applicationId: string): Registered & { readonly by: 'registration' | 'platform'; readonly spec: LaunchSpec } {
    const { store, addressOf, platform } = this.#deps
    const registration = store.registrationOf(applicationId)
    const address = addressOf(applicationId)
    if (registration === undefined) return { by: 'platform', spec: { kind: 'uri', uri: address }, command: address, program: undefined }
    const { command, by: program } = registration
    const spec = parseLaunchCommand(command, platform)
    if ('problem' in spec) throw new Error(`its command ${spec.problem}`)
    return { by: 'registration', spec, command, program }
  }
}

interface Registered {
  readonly command: string
  readonly program: Program | undefined
}

const invalid = (what: string): BridgeError => new BridgeError('INVALID_PAYLOAD', `"command" ${what}.`, { path: 'command' })
