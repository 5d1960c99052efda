/** Uses every kind of secret on a running bridge and registers each for the leak search. Some uses are refused with an echo of the secret. */
import { createPkce, type SallyportClient } from '@sallyport/client'
import type { Daemon } from './daemon.ts'
import type { Leaks } from './leaks.ts'

export const APPLICATION = '888000111'
const CHILD_APPLICATION = '999000111'
export const BOT_TOKEN = `sandbox-bot-${APPLICATION}`
/** With everything that JSON, addresses and forms spell in another way. */
const ODD = 'odd "one" / 100% + ünlike \\ any & other'
const EXTERNAL = { external_auth_type: 'OIDC', external_auth_token: 'sandbox-external-user-elsewhere' } as const
const ACTIVITY = { type: 0, name: 'Harbour', application_id: APPLICATION, platform: 'desktop' } as const
const SCOPES = ['openid', 'identify', 'guilds', 'sdk.social_layer', 'activities.write', 'activities.read']

export interface Scene {
  readonly daemon: Daemon
  readonly leaks: Leaks
  readonly game: SallyportClient
}

/** What the signed-in game has. */
export interface Held {
  readonly access: string
  readonly refresh: string
  readonly exchange: { readonly code: string; readonly code_verifier: string; readonly redirect_uri: string }
}

const post = async (url: string, body: object | URLSearchParams): Promise<unknown> => {
  const isForm = body instanceof URLSearchParams
  const reply = await fetch(url, {
    method: 'POST',
    ...(isForm ? { body } : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** A call that must be refused; what it is refused with is watched. */
async function refused({ leaks, game }: Scene, cmd: string, args: object): Promise<void> {
  const failure: unknown = await game.request(cmd, args).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (failure === undefined) throw new Error(`${cmd} was not refused`)
  leaks.watch(`the error of ${cmd}`, failure)
}

interface TroubleReply {
  readonly status?: number
  readonly body: object
}

/** The next request below the path is answered so. */
export const trouble = ({ daemon }: Pick<Scene, 'daemon'>, path: string, { status = 400, body }: TroubleReply): Promise<unknown> =>
  post(`${daemon.origin}/sandbox/faults`, { match: { path }, status, body: JSON.stringify(body) })

/** The platform's form of a refusal that repeats the secret wherever it can. */
const echo = (secret: string) => ({
  code: 50035,
  message: `Invalid Form Body: ${secret}`,
  errors: { [secret]: { _errors: [{ code: 'X', message: `${JSON.stringify({ secret })} ${encodeURIComponent(secret)}` }] } },
})
const oauthEcho = (secret: string) => ({ error: 'invalid_grant', error_description: `no ${secret}, and no ${encodeURIComponent(secret)}` })

/** Signing in, and what tokens become. */
export async function tokens(scene: Scene): Promise<Held> {
  const { leaks, game, daemon } = scene
  const { verifier, challenge } = createPkce()
  const wanted = { scopes: SCOPES, code_challenge: challenge, code_challenge_method: 'S256' } as const
  const { code, redirect_uri = '' } = await game.call('AUTHORIZE', wanted)
  const exchange = { code: leaks.plant('code', code), code_verifier: leaks.plant('code verifier', verifier), redirect_uri }
  const first = await game.call('GET_TOKEN', exchange)
  leaks.plant('access token', first.access_token)
  leaks.plant('refresh token', first.refresh_token)
  leaks.plant('ID token', first.id_token)
  await game.call('AUTHENTICATE', { access_token: first.access_token })
  const next = await game.call('REFRESH_TOKEN', { refresh_token: first.refresh_token ?? '' })
  const access = leaks.plant('refreshed access token', next.access_token)
  const refresh = leaks.plant('next refresh token', next.refresh_token)
  await post(`${daemon.origin}/sandbox/applications`, { application_id: APPLICATION, publisher_linking: true })
  await post(`${daemon.origin}/sandbox/applications`, { application_id: CHILD_APPLICATION, parent_application_id: APPLICATION })
  const child = await game.call('EXCHANGE_CHILD_TOKEN', { parent_token: access, child_application_id: CHILD_APPLICATION })
  leaks.plant('child token', child.access_token)
  leaks.plant('external token', EXTERNAL.external_auth_token)
  const provisional = await game.call('GET_PROVISIONAL_TOKEN', EXTERNAL)
  leaks.plant('provisional token', provisional.access_token)
  leaks.plant('ID token of a provisional account', provisional.id_token)
  await game.call('UPDATE_TOKEN', { access_token: provisional.access_token })
  await game.call('UPDATE_TOKEN', { access_token: access })

  // Refused by the bridge and by the platform as it is.
  await refused(scene, 'AUTHENTICATE', { access_token: first.access_token, code })
  await refused(scene, 'REFRESH_TOKEN', { refresh_token: first.refresh_token })
  const linked = { ...EXTERNAL, external_auth_token: leaks.plant('linked external token', 'sandbox-external-linked') }
  await refused(scene, 'GET_PROVISIONAL_TOKEN', linked)
  await refused(scene, 'GET_PROVISIONAL_TOKEN', { ...EXTERNAL, external_auth_type: EXTERNAL.external_auth_token })
  const old = { ...EXTERNAL, external_auth_token: leaks.plant('old external token', 'sandbox-external-too-old') }
  await refused(scene, 'UNMERGE_PROVISIONAL_ACCOUNT', old)
  await refused(scene, 'EXCHANGE_CHILD_TOKEN', { parent_token: child.access_token, child_application_id: '999000112' })
  await refused(scene, 'UPDATE_TOKEN', { access_token: child.access_token, code: provisional.access_token })
  return { access, refresh, exchange }
}

/** A code that is shown again. It ends the sign-in, so this comes last. */
export async function spentCode(scene: Scene, { exchange }: Held): Promise<void> {
  const banned = { ...EXTERNAL, external_auth_token: scene.leaks.plant('banned external token', 'sandbox-external-banned') }
  await refused(scene, 'GET_TOKEN', { ...exchange, extra: 1 })
  await refused(scene, 'GET_TOKEN', { ...exchange, ...banned })
  await refused(scene, 'GET_TOKEN', exchange)
}

/** A conversation, which the bridge keeps, texts and all. */
export async function conversation({ daemon, game }: Scene): Promise<void> {
  const state = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as {
    readonly users: readonly { readonly id: string; readonly username: string }[]
  }
  const user_id = state.users.find(({ username }) => username === 'grace')?.id ?? ''
  await game.call('SEND_USER_MESSAGE', { user_id, content: 'Ahoy' })
  await game.call('GET_USER_MESSAGES', { user_id })
}

/** Secrets of parties, lobbies, interactions and headless sessions. */
export async function joinSecrets(scene: Scene): Promise<void> {
  const { daemon, leaks, game } = scene
  const [join, spectate, match] = ['join', 'spectate', 'match'].map((name) =>
    leaks.plant(`${name} secret`, `${name} of the pier, ${ODD}`),
  ) as [string, string, string]
  await game.setActivity({ details: 'In a party', party: { id: 'pier', size: [1, 4] }, secrets: { join, spectate, match } })
  await refused(scene, 'SET_ACTIVITY', { pid: 1, activity: { secrets: { join, spectate: join, match: spectate } } })
  await refused(scene, 'SET_ACTIVITY', { pid: process.pid, activity: { secrets: { join, match: [match] } } })

  const secret = leaks.plant('lobby secret', `lobby of ${ODD}`)
  await game.call('CREATE_OR_JOIN_LOBBY', { secret })
  await trouble(scene, '/lobbies', { body: echo(secret) })
  await refused(scene, 'CREATE_OR_JOIN_LOBBY', { secret })

  const headlessJoin = leaks.plant('join secret of a headless session', `headless ${ODD}`)
  const activities = [{ ...ACTIVITY, secrets: { join: headlessJoin } }]
  const session = await game.call('CREATE_HEADLESS_SESSION', { activities })
  const token = leaks.plant('token of a headless session', session.token)
  const at = {
    user_id: (await game.call('GET_CURRENT_USER', {}))?.id ?? '',
    session_id: session.activities[0]?.session_id ?? '',
    application_id: APPLICATION,
  }
  const answer = await game.call('GET_ACTIVITY_SECRET', { ...at, action: '1' })
  if (answer.secret !== headlessJoin) throw new Error('the join secret does not come back')
  for (const repeated of [headlessJoin, token]) {
    await trouble(scene, '/users/@me/headless-sessions', { body: echo(repeated) })
    await refused(scene, 'CREATE_HEADLESS_SESSION', { activities, token })
  }
  await trouble(scene, '/users/@me/headless-sessions/delete', { body: echo(token) })
  await refused(scene, 'DELETE_HEADLESS_SESSION', { token })

  const raised = await post(`${daemon.origin}/sandbox/interactions`, { application_id: APPLICATION, user: 'ada', answer_within_ms: 60_000 })
  const { id, token: interaction } = raised as { readonly id: string; readonly token: string }
  leaks.plant('interaction token', interaction)
  const answered = { interaction_id: id, interaction_token: interaction, type: 4, data: { content: 'Ahoy' } }
  await game.request('CREATE_INTERACTION_RESPONSE', answered)
  await refused(scene, 'CREATE_INTERACTION_RESPONSE', answered)
  const original = { application_id: APPLICATION, interaction_token: interaction }
  await game.request('GET_ORIGINAL_INTERACTION_RESPONSE', original)
  await trouble(scene, '/webhooks', { status: 404, body: { ...echo(interaction), code: 10015 } })
  await refused(scene, 'GET_ORIGINAL_INTERACTION_RESPONSE', original)
}

/** Tokens that the platform repeats in its refusals, sends malformed, or whose owner it does not name. */
export async function echoes(scene: Scene, { access, refresh }: Held): Promise<void> {
  const { leaks, game } = scene
  await trouble(scene, '/users/@me/guilds', { body: echo(access) })
  await refused(scene, 'GET_CURRENT_USER_GUILDS', {})
  await trouble(scene, '/applications/@me', { body: echo(BOT_TOKEN) })
  await refused(scene, 'GET_CURRENT_APPLICATION', {})
  for (const body of [oauthEcho(refresh), echo(refresh)]) {
    await trouble(scene, '/oauth2/token', { body })
    await refused(scene, 'REFRESH_TOKEN', { refresh_token: refresh })
  }
  const { verifier } = createPkce()
  const exchange = {
    code: leaks.plant('unknown code', `unknown-code-${ODD}`),
    code_verifier: leaks.plant('other verifier', verifier),
    redirect_uri: 'http://127.0.0.1/callback',
  }
  const external = leaks.plant('external token of a merge', `ticket-${ODD}`)
  for (const secret of [exchange.code, verifier, external]) {
    await trouble(scene, '/oauth2/token', { body: oauthEcho(secret) })
    await refused(scene, 'GET_TOKEN', { ...exchange, ...EXTERNAL, external_auth_token: external })
  }
  await trouble(scene, '/partner-sdk/token', { body: echo(external) })
  await refused(scene, 'GET_PROVISIONAL_TOKEN', { ...EXTERNAL, external_auth_token: external })
  await trouble(scene, '/oauth2/token/revoke', { body: oauthEcho(access) })
  await refused(scene, 'REVOKE_TOKEN', { token: access })

  // The answers are unusable: an ID token without a valid signature, and an access token that is repeated instead of its owner's name.
  const planted = {
    access_token: leaks.plant('access token without an owner', 'access-token-without-an-owner'),
    token_type: 'Bearer',
    expires_in: 60,
    scope: 'identify',
  }
  const idToken = leaks.plant(
    'ID token that is none',
    `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.bm8tY2xhaW1zLWhlcmU.c2lnbmF0dXJlLW9mLW5vYm9keQ`,
  )
  await trouble(scene, '/oauth2/token', { status: 200, body: { ...planted, id_token: idToken } })
  await refused(scene, 'GET_TOKEN', exchange)
  await trouble(scene, '/oauth2/token', {
    status: 200,
    body: { ...planted, refresh_token: leaks.plant('refresh token without an owner', 'refresh-token-without-an-owner') },
  })
  await trouble(scene, '/oauth2/@me', { body: echo(planted.access_token) })
  await game.call('REFRESH_TOKEN', { refresh_token: refresh })

  const deviceCode = leaks.plant('device code', 'device-code-of-the-platform')
  const device = {
    device_code: deviceCode,
    user_code: 'WXYZ-BCDF',
    verification_uri: 'http://127.0.0.1/activate',
    expires_in: 300,
    interval: 1,
  }
  await trouble(scene, '/oauth2/device/authorize', { status: 200, body: device })
  const shown = await game.call('AUTHORIZE_DEVICE', { scopes: ['identify'] })
  leaks.watch('the answer of AUTHORIZE_DEVICE', shown)
  await trouble(scene, '/oauth2/token', { body: oauthEcho(deviceCode) })
  await refused(scene, 'GET_TOKEN_FROM_DEVICE', { user_code: shown.user_code })
}

const SERVER = { client_id: APPLICATION, client_secret: `sandbox-secret-${APPLICATION}` }

/** A one-time token, as a server of the application gets it. */
export async function rpcToken({ ready }: Daemon): Promise<string> {
  const answer = await post(`${ready.apiBase}/oauth2/token/rpc`, new URLSearchParams(SERVER))
  return (answer as { readonly rpc_token: string }).rpc_token
}

/** Secrets that applications' servers and devices send to the platform directly. */
export async function besides({ daemon, leaks }: Pick<Scene, 'daemon' | 'leaks'>): Promise<void> {
  leaks.plant('client secret', SERVER.client_secret)
  const token = leaks.plant('rpc token', await rpcToken(daemon))
  const wanted = new URLSearchParams({ client_id: APPLICATION, scope: 'identify' })
  const device = (await post(`${daemon.ready.apiBase}/oauth2/device/authorize`, wanted)) as {
    readonly device_code: string
    readonly user_code: string
  }
  leaks.plant('device code of the sandbox', device.device_code)
  leaks.plant('user code', device.user_code.replace('-', ''))
  // A request that went astray.
  await fetch(`${daemon.origin}/${token}/${device.device_code}`)
}
