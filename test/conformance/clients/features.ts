/** What a client may have: one row of the matrix each. `features.json` of a client names those that it has, and why it lacks the others. */
import { readFileSync } from 'node:fs'

export const FEATURES = {
  handshake: 'handshake',
  search: 'search in every slot',
  frames: 'frames in any pieces',
  calls: 'calls and responses',
  errors: 'errors of the server',
  'rate-limit': 'time to wait of a rate limit',
  'call-timeout': 'time limit of a call',
  'send-limit': 'largest call',
  ping: 'PING and PONG',
  close: 'CLOSE of the server',
  leaving: 'closing the client',
  'broken-servers': 'broken frames and messages',
  flood: 'bounded memory',
  events: 'events and subscriptions',
  presence: 'presence',
  'offline-presence': 'presence without a connection',
  pkce: 'sign-in with a proof key',
  'one-sign-in': 'one rule for signing in',
  reconnect: 'reconnecting',
  restore: 'restoring state',
  keys: 'writes that are made once',
  msgpack: 'MessagePack',
  'prefers-bridge': 'a bridge before other servers',
  'folder-check': 'owner of socket and folder',
  'peer-check': 'user and container of the peer',
  'contained-servers': 'servers of contained programs',
  'windows-pipe': 'named pipes of Windows',
  clock: 'a clock that a test advances',
} as const

export type Feature = keyof typeof FEATURES
export const ALL_FEATURES = Object.keys(FEATURES) as readonly Feature[]
const isFeature = (name: string): name is Feature => Object.hasOwn(FEATURES, name)

/** The content of a `features.json`. */
export interface Claims {
  readonly client: string
  readonly has: readonly Feature[]
  /** Features that it does not have, each with the reason. Their steps are not played. */
  readonly lacks: Readonly<Partial<Record<Feature, string>>>
  /** Steps that it fails, each with the reason. One that passes is a failure of the kit's run: the line must go. */
  readonly fails: Readonly<Record<string, string>>
}

/** What a client need not have: each says so itself. */
export const UNDECLARED: readonly Feature[] = ['windows-pipe', 'clock', 'offline-presence', 'one-sign-in', 'keys']

/** Claims of a client that the kit knows nothing of: it should have everything that this system can judge. */
export const claimsOfStranger = (client: string): Claims => ({
  client,
  has: ALL_FEATURES.filter((name) => !UNDECLARED.includes(name)),
  lacks: Object.fromEntries(UNDECLARED.map((name) => [name, 'not declared'])),
  fails: {},
})

/** Throws unless each feature is either had or lacked with a reason, and each step that fails exists and has a reason. */
export function checkClaims(claims: Claims, steps: ReadonlySet<string>, source: string): void {
  const lacked = Object.entries(claims.lacks)
  const problems = [
    ...[...claims.has, ...lacked.map(([name]) => name)].filter((name) => !isFeature(name)).map((name) => `${name} is no feature`),
    ...ALL_FEATURES.filter((name) => claims.has.includes(name) === Object.hasOwn(claims.lacks, name)).map(
      (name) => `${name} must be in "has" or in "lacks"`,
    ),
    ...Object.keys(claims.fails)
      .filter((id) => !steps.has(id))
      .map((id) => `${id} is no step`),
    ...[...lacked, ...Object.entries(claims.fails)]
      .filter(([, reason]) => reason.trim().length < 10)
      .map(([name]) => `${name} has no reason`),
  ]
  if (problems.length > 0) throw new Error(`${source}: ${problems.join('; ')}`)
}

export function readClaims(path: string, steps: ReadonlySet<string>): Claims {
  const claims = JSON.parse(readFileSync(path, 'utf8')) as Claims
  checkClaims(claims, steps, path)
  return claims
}
