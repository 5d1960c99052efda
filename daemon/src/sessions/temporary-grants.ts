/**
 * Ends what the user chose for the time that a program runs: a grant for the session, and presence that is hidden for now. It ends when the last
 * connection of the program has been closed for a minute, because games connect again. A timer exists only during that minute.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Grant } from '../auth/grants/grant.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { isSamePath, type Program, programOf } from '../identity/program.ts'
import type { LifecycleEvents } from './lifecycle.ts'
import type { SessionRegistry } from './registry.ts'

interface TemporaryGrantsDeps {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
  readonly lifecycle: LifecycleEvents
  readonly registry: Pick<SessionRegistry, 'all'>
  readonly grants: Pick<Grants, 'get' | 'temporary' | 'choose'>
  readonly endGrant: (grant: Grant) => Promise<void>
}

export class TemporaryGrants {
  readonly #deps: TemporaryGrantsDeps
  /** By grant: what cancels its end. */
  readonly #ending = new Map<string, () => void>()

  constructor(deps: TemporaryGrantsDeps) {
    this.#deps = deps
    deps.lifecycle.on('sessionChanged', ({ connection }) => {
      // Called for each connection, and most users have none.
      if (deps.grants.temporary().length > 0) this.check(programOf(connection.peer))
    })
    // Those of an earlier run: their programs may connect again.
    for (const grant of deps.grants.temporary()) this.#check(grant)
  }

  /** Looks whether a program is connected. */
  readonly check = (program: Program): void => {
    for (const grant of this.#deps.grants.temporary()) if (isSamePath(grant.program, program)) this.#check(grant)
  }

  stop(): void {
    for (const cancel of this.#ending.values()) cancel()
    this.#ending.clear()
  }

  #isConnected({ program }: Grant): boolean {
    return this.#deps.registry.all().some(({ connection }) => isSamePath(programOf(connection.peer), program))
  }

  #check(grant: Grant): void {
    const { id } = grant
    if (this.#isConnected(grant)) {
      this.#ending.get(id)?.()
      this.#ending.delete(id)
    } else if (!this.#ending.has(id)) {
      this.#ending.set(
        id,
        this.#deps.clock.after(BUDGETS.programLeftMs.value, () => this.#end(id)),
      )
    }
  }

  #end(id: string): void {
    const { grants, endGrant, log } = this.#deps
    this.#ending.delete(id)
    const grant = grants.get(id)
    const failed = (err: unknown): void => log.error('revocation-failed', { err })
    try {
      if (grant?.lasts === 'session') void endGrant(grant).catch(failed)
      else if (grant?.presence === 'hidden-now') grants.choose(grant, { presence: 'shown' })
    } catch (err) {
      failed(err)
    }
  }
}
