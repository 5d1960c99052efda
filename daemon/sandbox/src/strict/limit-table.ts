/** The rate limits of the strict sandbox. The platform publishes few of its limits; the others are assumptions of ours, and say so. */
import { SECOND_MS } from '@sallyport/core/durations'
import { DEVELOPMENT_LIMITS, LIMITS } from '@sallyport/protocol'

export interface LimitGroup {
  /** Method and path; the last group has all that no other has. */
  readonly routes: readonly string[]
  readonly limit: number
  readonly windowMs: number
  readonly source: string
}

const ASSUMED = 'assumed'

/** Requests of one caller to all routes together. */
export const GLOBAL_LIMIT = { limit: 50, windowMs: SECOND_MS, source: 'published: 50 requests in a second' } as const

/** Calls of one operation by an application before its approval; undefined for an operation without such a limit. */
export function approvalLimit(route: string): { readonly limit: number; readonly windowMs: number } | undefined {
  const name = DEVELOPMENT_LIMITS.get(route)
  return name === undefined ? undefined : { limit: LIMITS[name].value, windowMs: LIMITS.developmentMs.value }
}

/** By groups of routes. Each route has its own bucket for each channel, guild or lobby, and each caller. */
export const LIMIT_GROUPS: readonly LimitGroup[] = [
  {
    routes: ['POST /channels/{channel_id}/messages', 'POST /lobbies/{lobby_id}/messages', 'POST /users/{user_id}/messages'],
    limit: 5,
    windowMs: 5 * SECOND_MS,
    source: `${ASSUMED}: messages`,
  },
  {
    routes: [
      'PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me',
      'DELETE /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me',
    ],
    limit: 4,
    windowMs: SECOND_MS,
    source: `${ASSUMED}: reactions, about one in a quarter of a second`,
  },
  {
    routes: ['DELETE /channels/{channel_id}/messages/{message_id}', 'PATCH /channels/{channel_id}/messages/{message_id}'],
    limit: 5,
    windowMs: SECOND_MS,
    source: `${ASSUMED}: changes of messages`,
  },
  {
    routes: ['PATCH /channels/{channel_id}'],
    limit: 2,
    windowMs: 600 * SECOND_MS,
    source: `${ASSUMED}: names and topics of channels, two in ten minutes`,
  },
  {
    routes: ['POST /users/@me/headless-sessions'],
    limit: 5,
    windowMs: 20 * SECOND_MS,
    source: `${ASSUMED}: as the gateway's limit of presence updates`,
  },
  {
    routes: ['POST /oauth2/token', 'POST /oauth2/token/revoke', 'POST /oauth2/device/authorize', 'POST /partner-sdk/token'],
    limit: 100,
    windowMs: 10 * SECOND_MS,
    source: `${ASSUMED}: sign-ins of one machine`,
  },
]

/** Routes of no group: reads, and all others. */
export const OTHER_READS = { limit: 60, windowMs: 10 * SECOND_MS, source: `${ASSUMED}: reads` } as const
export const OTHER_WRITES = { limit: 20, windowMs: 10 * SECOND_MS, source: `${ASSUMED}: all other requests` } as const

const BY_ROUTE: ReadonlyMap<string, LimitGroup> = new Map(LIMIT_GROUPS.flatMap((group) => group.routes.map((route) => [route, group])))

/** The limit of the bucket of a route, such as `GET /users/@me`. */
export const bucketLimit = (route: string): Omit<LimitGroup, 'routes'> =>
  BY_ROUTE.get(route) ?? (route.startsWith('GET ') ? OTHER_READS : OTHER_WRITES)
