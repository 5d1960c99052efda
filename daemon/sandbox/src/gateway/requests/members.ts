/** Op 8: members of a guild, by the beginning of their names, by id, or all of them; in chunks. */
import { type Member, holdsOn } from '@sallyport/protocol'
import * as z from 'zod'
import { memberView } from '../../api/members.ts'
import type { Platform } from '../../platform.ts'
import type { StoredGuild } from '../../store/records.ts'
import { memberIdsOf, presencesOf } from '../guild-view.ts'
import { ALL_MEMBERS_EVERY_MS, CHUNK_MEMBERS, FOUND_MEMBERS_MAX, NONCE_MAX_BYTES } from '../limits.ts'
import type { Presences } from '../presences.ts'
import { isTold, operationFor, type Viewer, wants } from '../viewer.ts'

const Id = z.string()

export const MembersRequest = z
  .looseObject({
    guild_id: Id,
    query: z.string().optional(),
    limit: z.number().int().min(0).optional(),
    presences: z.boolean().nullish(),
    user_ids: z.union([Id.transform((id) => [id]), z.array(Id)]).optional(),
    nonce: z.string().nullish(),
  })
  // A prefix needs to say how many of those it finds are wanted.
  .refine(
    ({ query, limit, user_ids }) => (query === undefined) === (user_ids !== undefined) && (query === undefined || limit !== undefined),
  )
type Request = z.output<typeof MembersRequest>

export interface MembersContext {
  readonly platform: Platform
  readonly presences: Presences
  /** When a bot last asked for all members of a guild, by `application:guild`, in ms since the epoch. */
  readonly askedForAll: Map<string, number>
}

interface Found {
  readonly members: readonly Member[]
  readonly missing: readonly string[]
}

/** The dispatches that answer; none for a guild that is not the viewer's, or an intent that it lacks. */
export function membersAnswer(context: MembersContext, viewer: Viewer, request: Request) {
  const guild = context.platform.store.guilds.get(request.guild_id)
  if (guild === undefined || !isTold(viewer, guild)) return []
  const nonce = request.nonce != null && Buffer.byteLength(request.nonce) <= NONCE_MAX_BYTES ? { nonce: request.nonce } : {}
  if (request.query === '' && request.limit === 0) {
    if (!wants(viewer, 'GUILD_MEMBERS')) return []
    const waitMs = waitForAll(context, viewer, guild)
    if (waitMs > 0) return [{ t: 'RATE_LIMITED', d: { opcode: 8, retry_after: waitMs / 1000, meta: { guild_id: guild.id, ...nonce } } }]
  }
  const { members, missing } = found(context, viewer, guild, request)
  const withPresences = request.presences === true && wants(viewer, 'GUILD_PRESENCES')
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
            presences: presencesOf(
              chunk.flatMap(({ user }) => user?.id ?? []),
              context.presences,
            ),
          }
        : {}),
      ...nonce,
    },
  }))
}

function found({ platform }: MembersContext, viewer: Viewer, guild: StoredGuild, { query, limit = 0, user_ids: wanted }: Request): Found {
  const operation = operationFor(platform, viewer)
  const ids = memberIdsOf(viewer, guild)
  if (wanted !== undefined) {
    const asked = wanted.slice(0, FOUND_MEMBERS_MAX)
    const there = asked.filter((id) => ids.includes(id))
    return { members: there.map((id) => memberView(operation, guild, id)), missing: asked.filter((id) => !there.includes(id)) }
  }
  const members = ids.map((id) => memberView(operation, guild, id))
  if (query === undefined || query === '') return { members: limit === 0 ? members : members.slice(0, limit), missing: [] }
  const prefix = query.toLowerCase()
  const most = limit === 0 ? FOUND_MEMBERS_MAX : Math.min(limit, FOUND_MEMBERS_MAX)
  const names = ({ nick, user }: Member): readonly (string | null | undefined)[] => [nick, user?.username]
  return { members: members.filter((one) => names(one).some((name) => name?.toLowerCase().startsWith(prefix))).slice(0, most), missing: [] }
}

/** In ms; 0: now, and it is noted. */
function waitForAll({ platform: { clock }, askedForAll }: MembersContext, { party }: Viewer, guild: StoredGuild): number {
  const now = clock.now()
  if (party.kind === 'user' || !holdsOn('all-members-limit', now)) return 0
  for (const [key, at] of askedForAll) if (now - at >= ALL_MEMBERS_EVERY_MS) askedForAll.delete(key)
  const key = `${party.applicationId}:${guild.id}`
  const last = askedForAll.get(key)
  if (last !== undefined) return last + ALL_MEMBERS_EVERY_MS - now
  askedForAll.set(key, now)
  return 0
}

/** One chunk at least, be it empty. */
export const chunksOf = <T>(members: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.max(1, Math.ceil(members.length / CHUNK_MEMBERS)) }, (_, index) =>
    members.slice(index * CHUNK_MEMBERS, (index + 1) * CHUNK_MEMBERS),
  )
