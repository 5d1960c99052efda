/** The control interface for the process that runs the sandbox: the same requests, without a socket. */
import type { SandboxReply } from '../http/exchange.ts'
import type { Serve } from '../http/server.ts'
import { CONTROLS } from './controls.ts'
import { RECIPES } from './events.ts'

export interface OpenControls {
  readonly rows: typeof CONTROLS
  /** Names of the events that `POST /sandbox/events` sends. */
  readonly events: readonly string[]
  /** `body`: JSON; empty for none. Undefined: there is no such control. */
  send(method: string, path: string, body: string): Promise<Pick<SandboxReply, 'status' | 'body'> | undefined>
}

export const openControls = (serve: Serve, port: number): OpenControls => ({
  rows: CONTROLS,
  events: Object.keys(RECIPES).toSorted(),
  async send(method, path, body) {
    if (!CONTROLS.some((one) => one.method === method && one.path === path)) return undefined
    const headers = { host: `127.0.0.1:${port}`, 'content-type': 'application/json' }
    const head = { method, path, query: new URLSearchParams(), headers }
    return (await serve(head, async () => Buffer.from(body), port, new AbortController().signal)).reply
  },
})
