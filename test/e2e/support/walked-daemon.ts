/** The real daemon with its sandbox, and helpers that use the platform directly: tokens, ids, lobbies. */
import { ERRORS } from '@sallyport/protocol'
import { ALL_SCOPES, setApplication, withoutLimits } from './application-settings.ts'
import { folders, SOURCE, startDaemon } from './daemon.ts'
import { RawClient } from './raw-client.ts'

export const APPLICATION = '1234567890'
export const BOT_TOKEN = `sandbox-bot-${APPLICATION}`
const REDIRECT = 'http://127.0.0.1:5173/callback'

interface State {
  readonly users: readonly { readonly id: string; readonly username: string }[]
  readonly guilds: readonly {
    readonly id: string
    readonly name: string
    readonly channels: readonly { readonly id: string; readonly name: string }[]
  }[]
}

export interface WalkedDaemon {
  readonly apiBase: string
  readonly socket: string
  /** Token of a user for exactly these scopes; the same one each time. */
  token(scopes: readonly string[], options?: { readonly user?: string; readonly application?: string }): Promise<string>
  /** A connection of the application, with more in its handshake, signed in when a token is given. Rejects when AUTHENTICATE is refused. */
  game(token?: string, greeting?: object): Promise<RawClient>
  /** Ends everything that a user allowed the application. */
  revoke(token: string): Promise<void>
  /** Raises an interaction of the application in the sandbox. */
  interaction(input: object): Promise<{ readonly id: string; readonly token: string }>
  /** An operation of the API, called directly. */
  api(method: string, path: string, token: string, body?: object): Promise<Response>
  /** An operation of the sandbox's own control, by its path below `/sandbox`. */
  control(method: string, path: string, body?: object): Promise<Response>
  readonly state: State
  stop(): Promise<void>
}

export async function startWalked(botToken?: string): Promise<WalkedDaemon> {
  const at = await folders()
  const daemon = await startDaemon(SOURCE, at, [], botToken === undefined ? {} : { SALLYPORT_BOT_TOKEN: botToken })
  const { ready, origin, socket } = daemon
  await withoutLimits(origin)
  await setApplication(origin, APPLICATION, { approved_intents: ['MESSAGE_CONTENT'] })
  const tokens = new Map<string, Promise<string>>()

  const signIn = async (scopes: readonly string[], user: string, application: string): Promise<string> => {
    await setApplication(origin, application, ALL_SCOPES)
    const query = { client_id: application, response_type: 'code', scope: scopes.join(' '), redirect_uri: REDIRECT, login_hint: user }
    const page = await fetch(`${origin}/oauth2/authorize?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })
    const code = new URL(page.headers.get('location') ?? REDIRECT).searchParams.get('code')
    if (code === null) throw new Error(`no code for ${scopes.join(' ')}: ${page.headers.get('location')}`)
    const form = { grant_type: 'authorization_code', code, client_id: application, client_secret: `sandbox-secret-${application}` }
    const reply = await fetch(ready.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })
    return ((await reply.json()) as { readonly access_token: string }).access_token
  }

  return {
    apiBase: ready.apiBase,
    socket,
    token(scopes, { user = 'ada', application = APPLICATION } = {}) {
      const key = [application, user, ...scopes.toSorted()].join(' ')
      const known = tokens.get(key) ?? signIn(scopes, user, application)
      tokens.set(key, known)
      return known
    },
    async game(token, greeting = {}) {
      const game = await RawClient.ready(socket, { client_id: APPLICATION, ...greeting })
      if (token === undefined) return game
      const { evt, data } = await game.call('AUTHENTICATE', { access_token: token })
      if (evt === null) return game
      game.hangUp()
      const name = Object.entries(ERRORS).find(([, { code }]) => code === data.code)?.[0]
      throw new Error(`AUTHENTICATE: ${name}: ${data.message}`)
    },
    async revoke(token) {
      await fetch(`${origin}/sandbox/revoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      })
      tokens.clear()
    },
    async interaction(input) {
      // Slow machines must not find it gone.
      const body = { application_id: APPLICATION, user: 'ada', answer_within_ms: 60_000, ...input }
      const reply = await fetch(`${origin}/sandbox/interactions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await reply.json()) as { readonly id: string; readonly token: string }
    },
    api: (method, path, token, body) =>
      fetch(`${ready.apiBase}${path}`, {
        method,
        headers: {
          authorization: token.startsWith('sandbox-bot-') ? `Bot ${token}` : `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async control(method, path, body) {
      const reply = await fetch(`${origin}/sandbox${path}`, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
      return reply
    },
    state: (await (await fetch(`${origin}/sandbox/state`)).json()) as State,
    async stop() {
      await daemon.stop()
      await at.remove()
    },
  }
}
