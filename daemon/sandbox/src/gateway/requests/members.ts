/** Opcode 8: guild members by name prefix, by id, or all of them, in chunks. */
import { type Member, isInEffect } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { memberView } from '../../api/members.ts'
import type { Platform } from '../../platform.ts'
import type { StoredGuild } from '../../store/records.ts'
import { memberIdsOf, presencesSeenBy } from '../guild-view.ts'
import { ALL_MEMBERS_EVERY_MS, CHUNK_MEMBERS, MEMBERS_FOUND_MAX, NONCE_MAX_BYTES } from '../limits.ts'
import type { PresenceRegistry } from '../presence-registry.ts'
import { isVisible, operationFor, type Viewer, hasIntents } from '../viewer.ts'

const Id = once(() => z.string())

export const MembersRequest = once(() =>
  z
    .looseObject({
      guild_id: Id(),
      query: z.string().optional(),
      limit: z.number().int().min(0).optional(),
      presences: z.boolean().nullish(),
      user_ids: z.union([Id().transform((id) => [id]), z.array(Id())]).optional(),
      nonce: z.string().nullish(),
    })
    // A prefix needs a limit.
    .refine(
      ({ query, limit, user_ids }) => (query === undefined) === (user_ids !== undefined) && (query === undefined || limit !== undefined),
    ),
)
type Request = z.output<ReturnType<typeof MembersRequest>>

export interface MembersContext {
  readonly platform: Platform
  readonly presences: PresenceRegistry
  /** When a bot last requested all members of a guild, by `application:guild`, in ms since the epoch. */
  readonly allMembersRequestedAt: Map<string, number>
}

interface FoundMembers {
  readonly members: readonly Member[]
  readonly missing: readonly string[]
}

/** The response events; empty for an unknown guild or a missing intent. */
export function memberChunks(context: MembersContext, viewer: Viewer, request: Request) {
  const guild = context.platform.store.guilds.get(request.guild_id)
  if (guild === undefined || !isVisible(viewer, guild)) return []
  const nonce = request.nonce != null && Buffer.byteLength(request.nonce) <= NONCE_MAX_BYTES ? { nonce: request.nonce } : {}
  if (request.query === '' && request.limit === 0) {
    if (!hasIntents(viewer, 'GUILD_MEMBERS')) return []
    const waitMs = allMembersWaitMs(context, viewer, guild)
    if (waitMs > 0) return [{ t: 'RATE_LIMITED', d: { opcode: 8, retry_after: waitMs / 1000, meta: { guild_id: guild.id, ...nonce } } }]
  }
  const { members, missing } = findMembers(context, viewer, guild, request)
  const withPresences = request.presences === true && hasIntents(viewer, 'GUILD_PRESENCES')
  return chunksOf(members).map((chunk, index, all) => ({
    t: 'GUILD_MEMBERS_CHUNK',
    d: {
      guild_id: guild.id,
      members: chunk,
      chunk_index: index,
      chunk_count: all.length,
      ...(missing.length === 0 ? {} : { not_found: missing }),
      ...(withPresences
        ? {
            presences: presencesSeenBy(
              context.platform,
              viewer,
              chunk.flatMap(({ user }) => user?.id ?? []),
              context.presences,
            ),
          }
        : {}),
      ...nonce,
    },
  }))
}

function findMembers(
  { platform }: MembersContext,
  viewer: Viewer,
  guild: StoredGuild,
  { query, limit = 0, user_ids: userIds }: Request,
): FoundMembers {
  const operation = operationFor(platform, viewer)
  const ids = memberIdsOf(viewer, guild)
  if (userIds !== undefined) {
    const requested = userIds.slice(0, MEMBERS_FOUND_MAX)
    const present = requested.filter((id) => ids.includes(id))
    return { members: present.map((id) => memberView(operation, guild, id)), missing: requested.filter((id) => !present.includes(id)) }
  }
  const members = ids.map((id) => memberView(operation, guild, id))
  if (query === undefined || query === '') return { members: limit === 0 ? members : members.slice(0, limit), missing: [] }
  const prefix = query.toLowerCase()
  const most = limit === 0 ? MEMBERS_FOUND_MAX : Math.min(limit, MEMBERS_FOUND_MAX)
  const names = ({ nick, user }: Member): readonly (string | null | undefined)[] => [nick, user?.username]
  return { members: members.filter((one) => names(one).some((name) => name?.toLowerCase().startsWith(prefix))).slice(0, most), missing: [] }
}

/** The wait in ms; for 0 it records the request. */
function allMembersWaitMs({ platform: { clock }, allMembersRequestedAt }: MembersContext, { caller }: Viewer, guild: StoredGuild): number {
  const now = clock.now()
  if (caller.kind === 'user' || !isInEffect('all-members-limit', now)) return 0
  for (const [key, at] of allMembersRequestedAt) if (now - at >= ALL_MEMBERS_EVERY_MS) allMembersRequestedAt.delete(key)
  const key = `${caller.applicationId}:${guild.id}`
  const last = allMembersRequestedAt.get(key)
  if (last !== undefined) return last + ALL_MEMBERS_EVERY_MS - now
  allMembersRequestedAt.set(key, now)
  return 0
}

/** At least one chunk, which may be empty. */
export const chunksOf = <T>(members: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(members.length / CHUNK_MEMBERS)) }, (_, index) =>
    members.slice(index * CHUNK_MEMBERS, (index + 1) * CHUNK_MEMBERS),
  )
