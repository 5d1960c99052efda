/** One careless game at a sandbox: its application, its sign-ins, its bot; and what it plays in. */

export interface Arena {
  readonly origin: string
  readonly apiBase: string
  readonly tokenUrl: string
  /** The socket of the daemon. */
  readonly socket: string
  readonly harbour: string
  /** A text channel of the harbour. */
  readonly channel: string
  /** A user whom the user of the game knows. */
  readonly friend: string
  control(method: string, path: string, body: object): Promise<unknown>
  /** Moves the windows of the limits. */
  advance(ms: number): Promise<unknown>
}

interface Places {
  readonly origin: string
  readonly apiBase: string
  readonly tokenUrl: string
  readonly socket: string
}

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly { readonly id: string; readonly name: string; readonly channels: readonly { id: string; name: string }[] }[]
}

export async function arenaOf(places: Places): Promise<Arena> {
  const control = async (method: string, path: string, body: object): Promise<unknown> => {
    const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${places.origin}/sandbox${path}`, { method, ...json })
    if (!response.ok) throw new Error(`${method} /sandbox${path}: ${response.status} ${await response.text()}`)
    return response.status === 204 ? undefined : response.json()
  }
  const state = (await (await fetch(`${places.origin}/sandbox/state`)).json()) as State
  const harbour = state.guilds.find(({ name }) => name === 'Harbour')
  return {
    ...places,
    harbour: harbour?.id ?? '',
    channel: harbour?.channels.find(({ name }) => name === 'general')?.id ?? '',
    friend: state.users.find(({ username }) => username === 'grace')?.id ?? '',
    control,
    advance: (ms) => control('POST', '/time', { advance_ms: ms }),
  }
}

const REDIRECT = 'http://127.0.0.1:5173/callback'
const SCOPES = 'identify sdk.social_layer'
const HELLO = 10
const IDENTIFY = 2
const INVALID_SESSION = 9

export class Player {
  readonly applicationId: string
  readonly bot: string
  readonly #arena: Arena

  constructor(arena: Arena, applicationId: string) {
    this.#arena = arena
    this.applicationId = applicationId
    this.bot = `Bot sandbox-bot-${applicationId}`
  }

  api(method: string, path: string, authorization: string, body?: object): Promise<Response> {
    return fetch(`${this.#arena.apiBase}${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** The body of a successful answer. */
  async ok(method: string, path: string, authorization: string, body?: object): Promise<unknown> {
    const response = await this.api(method, path, authorization, body)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }

  /** `ok`, or the status with what the platform adds to it. */
  async outcome(response: Response): Promise<string> {
    if (response.ok) return 'ok'
    const { code } = (await response.json()) as { readonly code?: number }
    if (response.status === 429) return response.headers.get('x-ratelimit-global') === null ? '429' : '429 global'
    return `${response.status}, ${code}`
  }

  /** Does not wait for a limit; returns the first answer that is an error. */
  async repeats(times: number, call: (count: number) => Promise<Response>): Promise<string> {
    for (let count = 0; count < times; count++) {
      const answer = await this.outcome(await call(count))
      if (answer !== 'ok') return answer
    }
    return 'ok'
  }

  /** Sends all before any is answered, so a slow machine takes no break between them; returns the first answer that is an error. */
  async atOnce(times: number, call: () => Promise<Response>): Promise<string> {
    const answers = await Promise.all(Array.from({ length: times }, async () => this.outcome(await call())))
    return answers.find((answer) => answer !== 'ok') ?? 'ok'
  }

  async token(): Promise<string> {
    const query = { client_id: this.applicationId, response_type: 'code', scope: SCOPES, redirect_uri: REDIRECT }
    const page = `${this.#arena.origin}/oauth2/authorize?${new URLSearchParams(query).toString()}`
    const response = await fetch(page, { redirect: 'manual' })
    const code = new URL(response.headers.get('location') ?? REDIRECT).searchParams.get('code') ?? ''
    const client = { client_id: this.applicationId, client_secret: `sandbox-secret-${this.applicationId}` }
    const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT, ...client })
    const { access_token: token } = (await (await fetch(this.#arena.tokenUrl, { method: 'POST', body })).json()) as { access_token: string }
    return `Bearer ${token}`
  }

  /** A lobby that its user may link. */
  async lobby(token: string): Promise<string> {
    const { id } = (await this.ok('PUT', '/lobbies', token, { secret: 'careless' })) as { readonly id: string }
    const me = (await this.ok('GET', '/users/@me', token)) as { readonly id: string }
    await this.ok('PUT', `/lobbies/${id}/members/${me.id}`, this.bot, { flags: 1 })
    return id
  }

  /** Identifies the bot: `ok` after READY, else the close code or the opcode. */
  identifies(intents: number): Promise<string> {
    const socket = new WebSocket(`${this.#arena.origin.replace('http', 'ws')}/gateway?v=10&encoding=json`)
    return new Promise<string>((resolve, reject) => {
      socket.addEventListener('error', () => reject(new Error('the gateway refused the connection')))
      socket.addEventListener('close', ({ code }) => resolve(String(code)))
      socket.addEventListener('message', ({ data }) => {
        const { op, t } = JSON.parse(String(data)) as { readonly op: number; readonly t: string | null }
        const identity = { token: this.bot, intents, properties: { os: 'linux', browser: 'careless', device: 'careless' } }
        if (op === HELLO) socket.send(JSON.stringify({ op: IDENTIFY, d: identity }))
        else if (op === INVALID_SESSION) resolve(`opcode ${op}`)
        else if (t === 'READY') resolve('ok')
      })
    }).finally(() => socket.close())
  }
}
