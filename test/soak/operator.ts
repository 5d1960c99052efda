/** The user at the dashboard of the daemon: looks at its state and presses "Link account". */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BridgeState } from '@sallyport/protocol'

export class Operator {
  readonly #file: string

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'dashboard.address')
  }

  /** Whether a game of the application was asked. Rejects while no daemon answers. */
  async link(applicationId: string): Promise<boolean> {
    const { status } = await this.#ask('POST', `/api/applications/${applicationId}/link`)
    return status === 200
  }

  async state(): Promise<BridgeState> {
    return (await (await this.#ask('GET', '/api/state')).json()) as BridgeState
  }

  async #ask(method: string, path: string): Promise<Response> {
    const address = new URL(await readFile(this.#file, 'utf8'))
    const token = new URLSearchParams(address.hash.slice(1)).get('token') ?? ''
    return fetch(new URL(path, address), { method, headers: { authorization: `Bearer ${token}` } })
  }
}
