/** The lifecycle of lobbies. The sandbox counts signed-in members as present, since it has no connections to count. */
import { LIMITS } from '@sallyport/protocol'
import { LOBBY_QUIET_MS } from '../constants.ts'
import { isSignedIn } from '../oauth/sign-ins.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import { snowflakeTime } from '../snowflake.ts'
import type { Write } from '../store/collection.ts'
import type { StoredLobby, StoredMessage } from '../store/records.ts'

/** Uses are recorded in steps of this many ms. */
const USE_STEP_MS = 5_000

/** Whether the lobby has ended: no member is present and the timeout is over, or it was unused for long. */
function hasEnded(platform: Platform, lobby: StoredLobby): boolean {
  const idle = platform.clock.now() - lobby.lastUsedAt
  if (idle >= LOBBY_QUIET_MS) return true
  return idle >= lobby.idleTimeoutSeconds * 1000 && !lobby.members.some(({ id }) => isSignedIn(platform, lobby.applicationId, id))
}

/** Deletes the lobby with its messages. */
export const endLobbyWrites = ({ store }: Platform, lobby: StoredLobby): Write[] => [
  store.lobbies.delete(lobby.id),
  ...store.messages.group(lobby.id).map(({ id }) => store.messages.delete(id)),
]

/** The application's active lobbies; deletes ended ones. */
export function liveLobbies(platform: Platform, applicationId: string): StoredLobby[] {
  const { live, ended } = Object.groupBy(platform.store.lobbies.group(applicationId), (lobby) =>
    hasEnded(platform, lobby) ? 'ended' : 'live',
  )
  platform.store.commit((ended ?? []).flatMap((lobby) => endLobbyWrites(platform, lobby)))
  return live ?? []
}

/** The lobby with this id. Throws unknownLobby for an ended lobby or another application's. */
export function lobbyOf(platform: Platform, applicationId: string, id: string): StoredLobby {
  const lobby = platform.store.lobbies.get(id)
  if (lobby === undefined || lobby.applicationId !== applicationId) throw new PlatformError('unknownLobby')
  if (!hasEnded(platform, lobby)) return lobby
  platform.store.commit(endLobbyWrites(platform, lobby))
  throw new PlatformError('unknownLobby')
}

/** The lobby, if the caller is a member. Throws unknownLobby or missingAccess. */
export function lobbyOfMember(platform: Platform, applicationId: string, id: string, userId: string): StoredLobby {
  const lobby = lobbyOf(platform, applicationId, id)
  if (!lobby.members.some((member) => member.id === userId)) throw new PlatformError('missingAccess')
  return lobby
}

/** Records a use of the lobby. */
export function touchWrites({ store, clock }: Platform, lobby: StoredLobby): Write[] {
  const now = clock.now()
  return now - lobby.lastUsedAt < USE_STEP_MS ? [] : [store.lobbies.put(lobby.id, { ...lobby, lastUsedAt: now })]
}

/** Splits messages, oldest first, into those within the limits of the history and those beyond. */
export function historyOf(
  messages: readonly StoredMessage[],
  now: number,
): { readonly kept: StoredMessage[]; readonly lapsed: StoredMessage[] } {
  const oldest = now - LIMITS.lobbyMessageAge.value * 3_600_000
  const surplus = messages.length - LIMITS.lobbyMessages.value
  const { kept, lapsed } = Object.groupBy(messages, ({ id }, index) => (index < surplus || snowflakeTime(id) < oldest ? 'lapsed' : 'kept'))
  return { kept: kept ?? [], lapsed: lapsed ?? [] }
}
