/** Who calls the API: a user's token of an application, or the bot of one. */
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
  /** As granted, without the umbrellas opened. */
  readonly scopes: readonly string[]
  /** With the umbrellas opened, and what holding any token means. */
  readonly held: ReadonlySet<string>
  readonly expiresAt: number
}

export interface BotCaller {
  readonly kind: 'bot'
  /** A bot's user id is the id of its application. */
  readonly id: string
  readonly applicationId: string
}

export type Caller = UserCaller | BotCaller

/** Undefined when the header is missing or its token is not good. */
export function callerOf(platform: Platform, authorization: string | undefined): Caller | undefined {
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

/** Names a caller for rate limits; not secret, and the same before and after a refresh. */
export const callerKey = (caller: Caller | undefined): string =>
  caller === undefined ? 'anonymous' : `${caller.kind}:${caller.applicationId}:${caller.id}`
