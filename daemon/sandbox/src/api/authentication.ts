/** Authenticates the caller of the API: a user's token of an application, or the bot of one. */
import { expandScopes } from '@sallyport/protocol'
import { bearerOf } from '../oauth/sign-ins.ts'
import { botTokenOf, type Platform } from '../platform.ts'
import { isSnowflake } from '../snowflake.ts'
import type { StoredUser } from '../store/records.ts'

export interface UserCaller {
  readonly kind: 'user'
  readonly id: string
  readonly applicationId: string
  readonly user: StoredUser
  /** The granted scopes, unexpanded. */
  readonly scopes: readonly string[]
  /** The granted scopes, expanded, with those that every token has. */
  readonly held: ReadonlySet<string>
  readonly expiresAt: number
}

export interface BotCaller {
  readonly kind: 'bot'
  /** A bot's user id is the id of its application. */
  readonly id: string
  readonly applicationId: string
}

export type ApiCaller = UserCaller | BotCaller

/** Undefined for a missing header or an invalid token. */
export function authenticateCaller(platform: Platform, authorization: string | undefined): ApiCaller | undefined {
  const [, scheme, token] = /^(bearer|bot) +(\S+)$/i.exec(authorization ?? '') ?? []
  if (token === undefined) return undefined
  return scheme?.toLowerCase() === 'bot' ? botOf(token) : userOf(platform, token)
}

function botOf(token: string): BotCaller | undefined {
  const id = token.slice(botTokenOf('').length)
  return token === botTokenOf(id) && isSnowflake(id) ? { kind: 'bot', id, applicationId: id } : undefined
}

function userOf(platform: Platform, token: string): UserCaller | undefined {
  const found = bearerOf(platform, token)
  const user = platform.store.users.get(found?.authorization.userId ?? '')
  if (found === undefined || user === undefined) return undefined
  const { scopes, expiresAt } = found.token
  return {
    kind: 'user',
    id: user.id,
    applicationId: found.authorization.applicationId,
    user,
    scopes,
    held: expandScopes([...scopes, 'rpc.authenticated']),
    expiresAt: expiresAt ?? 0,
  }
}

/** The key of a caller for rate limits; not secret, and unchanged by a refresh. */
export const callerKey = (caller: ApiCaller | undefined): string =>
  caller === undefined ? 'anonymous' : `${caller.kind}:${caller.applicationId}:${caller.id}`
