/** The services that all parts of the sandbox share. */
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Patterns } from './api/patterns.ts'
import type { SessionStartLimit } from './gateway/session-start-limit.ts'
import type { GatewayFaults } from './gateway/gateway-faults.ts'
import type { SnowflakeSource } from './snowflake.ts'
import type { StoredApplication, StoredUser } from './store/records.ts'
import type { Sealer } from './store/sealer.ts'
import type { Strictness } from './strict/strictness.ts'
import type { ShownActivities } from './social/shown-activities.ts'
import type { Store } from './store/store.ts'
import type { Webhooks } from './webhooks/webhooks.ts'
import { APPLICATIONS_MAX } from './constants.ts'
import { OAuthError } from './platform-error.ts'
import type { Write } from './store/collection.ts'

export interface Platform {
  readonly store: Store
  readonly sealer: Sealer
  readonly clock: Clock
  /** The clock that no control moves, for what clients and servers do in real time: heartbeats, sockets. */
  readonly wallClock: Clock
  readonly log: Logger
  readonly ids: SnowflakeSource
  readonly seed: string
  /** The name of the user who is signed in unless a request names another. */
  readonly username: string
  readonly webhooks: Webhooks
  /** The engine of patterns in auto-moderation rules. */
  readonly patterns: Patterns
  /** What broken rules of the platform do. */
  readonly strictness: Strictness
  /** Joinable activities of gateway sessions. */
  readonly shownActivities: ShownActivities
  /** Session start limits and faults of the gateway. */
  readonly gatewayControls: { readonly sessionStarts: SessionStartLimit; readonly faults: GatewayFaults }
  /** `http://127.0.0.1:PORT`; valid once the server listens. */
  origin(): string
}

/** The user who is signed in unless a request names another. */
export function defaultUser({ store, username }: Pick<Platform, 'store' | 'username'>): StoredUser {
  const users = store.users.all()
  const user = users.find((one) => one.username === username) ?? users[0]
  if (user === undefined) throw new Error('the sandbox has no users')
  return user
}

/** Users who can sign in on a page. Provisional accounts have no password. */
export const fullAccounts = ({ store }: Pick<Platform, 'store'>): readonly StoredUser[] =>
  store.users
    .all()
    .filter(({ provisionalFor }) => provisionalFor === undefined)
    .toSorted((a, b) => (a.username < b.username ? -1 : 1))

/** A user by id or username. */
export const findUser = ({ store }: Pick<Platform, 'store'>, hint: string): StoredUser | undefined =>
  store.users.get(hint) ?? store.users.all().find((user) => user.username === hint)

/** The application with this id: the stored one, or a new one with the default name. */
export const applicationOf = ({ store, clock }: Pick<Platform, 'store' | 'clock'>, id: string): StoredApplication =>
  store.applications.get(id) ?? { id, name: `Application ${id}`, firstSeenAt: clock.now() }

/** Returns the writes that register the application. Throws invalid_client at the limit of applications. */
export function rememberApplication(platform: Pick<Platform, 'store' | 'clock'>, id: string): Write[] {
  const { store } = platform
  if (store.applications.get(id) !== undefined) return []
  if (store.applications.size >= APPLICATIONS_MAX)
    throw new OAuthError('invalid_client', 'The sandbox knows too many applications; start it with a fresh data file.')
  return [store.applications.put(id, applicationOf(platform, id))]
}

/** The client secret of an application. It is public, since the sandbox protects nothing. */
export const clientSecretOf = (applicationId: string): string => `sandbox-secret-${applicationId}`
/** The token of an application's bot. */
export const botTokenOf = (applicationId: string): string => `sandbox-bot-${applicationId}`
