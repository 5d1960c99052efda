/** The platform as a process of the simulated machine: the sandbox, its state in memory. */
import { systemClock } from '@sallyport/core/clock'
import type { PlatformProfile } from '@sallyport/core/profile'
import { holdSandboxPort } from '@sallyport/sandbox/addresses'
import { type Sandbox, startSandbox } from '@sallyport/sandbox/sandbox'
import { asOwner, type Owner } from './machine/timeline.ts'
import type { RunRecord } from './record.ts'

export class Platform {
  readonly #sandbox: Sandbox
  readonly #owner: Owner

  private constructor(sandbox: Sandbox, owner: Owner) {
    this.#sandbox = sandbox
    this.#owner = owner
  }

  static async start(seed: number, record: RunRecord): Promise<Platform> {
    const owner: Owner = { name: 'platform', isDead: false }
    const sandbox = await asOwner(owner, async () =>
      startSandbox({
        held: await holdSandboxPort(0),
        activityPort: 0,
        isOwnPeer: async () => true,
        seed: `simulation ${seed}`,
        mode: 'relaxed',
        data: undefined,
        autoConsent: true,
        isIsolated: true,
        clock: systemClock,
        log: record.logger(owner.name),
      }),
    )
    return new Platform(sandbox, owner)
  }

  get profile(): PlatformProfile {
    return this.#sandbox.profile
  }

  /** As an operator of the sandbox. Throws when it refuses. */
  control(path: string, body: object): Promise<void> {
    return asOwner(this.#owner, async () => {
      const reply = await this.#sandbox.controls.send('POST', `/sandbox/${path}`, JSON.stringify(body))
      if (reply === undefined || reply.status >= 400)
        throw new Error(`the sandbox refuses ${path}: ${reply?.status} ${String(reply?.body)}`)
    })
  }

  /** The ids of its users, by name. */
  async users(): Promise<ReadonlyMap<string, string>> {
    const reply = await asOwner(this.#owner, () => this.#sandbox.controls.send('GET', '/sandbox/state', ''))
    const { users } = JSON.parse(String(reply?.body)) as { readonly users: readonly { readonly id: string; readonly username: string }[] }
    return new Map(users.map(({ id, username }) => [username, id]))
  }

  stop(): Promise<void> {
    return asOwner(this.#owner, () => this.#sandbox.close())
  }
}
