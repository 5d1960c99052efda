/** What users, other players, developers and the network do, through the sandbox platform: its control interface and its public API. */
import type { SandboxReady } from './processes.ts'

const REDIRECT = 'http://127.0.0.1:5173/callback'

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly { readonly id: string; readonly name: string }[]
}

const secretOf = (applicationId: string): string => `sandbox-secret-${applicationId}`
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
  async tokenOf(username: string, applicationId: string, scopes: readonly string[]): Promise<string> {
    const scope = scopes.join(' ')
    const query = { client_id: applicationId, response_type: 'code', scope, redirect_uri: REDIRECT, login_hint: username }
    const leads = await fetch(`${this.#at.authorizeUrl}?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })
    const code = new URL(leads.headers.get('location') ?? REDIRECT).searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, client_id: applicationId, client_secret: secretOf(applicationId) }
    const answer = await fetch(this.#at.tokenUrl, { method: 'POST', body: new URLSearchParams({ ...form, redirect_uri: REDIRECT }) })
    const { access_token: token } = (await answer.json()) as { access_token?: string }
    if (token === undefined) throw new Error(`the sandbox gives no token of ${username} for ${applicationId}`)
    return token
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
