/** What users, other players, developers and the network do, through the sandbox platform: its control interface and its public API. */
import { sandboxToken } from '../e2e/support/sandbox-token.ts'
import type { SandboxReady } from './processes.ts'

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly { readonly id: string; readonly name: string }[]
}

export const botTokenOf = (applicationId: string): string => `sandbox-bot-${applicationId}`

export class SandboxControl {
  readonly #at: SandboxReady

  constructor(at: SandboxReady) {
    this.#at = at
  }

  async control(name: string, body: object): Promise<unknown> {
    return this.#ask('POST', `${this.#at.origin}/sandbox/${name}`, {}, body)
  }

  async clearFaults(): Promise<void> {
    await this.#ask('DELETE', `${this.#at.origin}/sandbox/faults`, {}, undefined)
  }

  /** A call of the public API. Rejects when it is refused. */
  api(method: string, path: string, authorization: string, body?: object): Promise<unknown> {
    return this.#ask(method, `${this.#at.apiBase}${path}`, { Authorization: authorization }, body)
  }

  async state(): Promise<State> {
    return (await this.#ask('GET', `${this.#at.origin}/sandbox/state`, {}, undefined)) as State
  }

  /** An access token of the user for the application, as a game that has a backend would get it. */
  tokenOf(username: string, applicationId: string, scopes: readonly string[]): Promise<string> {
    return sandboxToken(this.#at, username, applicationId, scopes)
  }

  /** The key that signs the webhooks of an application. */
  async verifyKey(applicationId: string): Promise<string> {
    const { verify_key: key } = (await this.api('GET', '/applications/@me', `Bot ${botTokenOf(applicationId)}`)) as { verify_key: string }
    return key
  }

  async #ask(method: string, url: string, headers: Record<string, string>, body: object | undefined): Promise<unknown> {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
}
