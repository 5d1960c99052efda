/** The stand-in for the platform's own desktop client, in a process that can be killed and started again at the same place. */
import { join } from 'node:path'
import type { StandInUser } from '#test/support/stand-in-answers.ts'
import type { StandInClient, StandInState } from '#test/support/stand-in-client.ts'
import { type StandInProcess, type StandInProcessOptions, startStandIn } from '#test/support/stand-in-process.ts'

/** The second place: the first one is the daemon's, which was there before. */
const SOCKET = 'discord-ipc-1'

export class DesktopClient {
  readonly #options: StandInProcessOptions
  #process: StandInProcess | undefined

  private constructor(options: StandInProcessOptions, process: StandInProcess) {
    this.#options = options
    this.#process = process
  }

  static async start(runtimeDir: string, user: StandInUser, apiBase: string): Promise<DesktopClient> {
    const apiEndpoint = apiBase.replace(/^https?:/, '').replace(/\/v\d+$/, '')
    const options = { path: join(runtimeDir, SOCKET), user, apiEndpoint, apiBase }
    return new DesktopClient(options, await startStandIn(options))
  }

  /** What a user or another player does with it. Rejects while it does not run. */
  async order(what: keyof StandInClient | 'flood', ...given: readonly unknown[]): Promise<unknown> {
    if (this.#process === undefined) throw new Error('the desktop client does not run')
    return this.#process.order(what, ...given)
  }

  async state(): Promise<StandInState> {
    return (await this.order('state')) as StandInState
  }

  async kill(): Promise<void> {
    const running = this.#process
    this.#process = undefined
    await running?.kill()
  }

  async startAgain(): Promise<void> {
    this.#process = await startStandIn(this.#options)
  }
}
