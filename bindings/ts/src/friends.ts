/** One friends list of a game: friends on the platform and friends in the game, in three groups. Pure. */
import type { DataOf, EventDataOf } from '@sallyport/protocol'

type Relationships = DataOf<'GET_RELATIONSHIPS'>
type Relationship = Relationships['relationships'][number]
type GameRelationship = DataOf<'GET_GAME_RELATIONSHIPS'>[number]

/** Types of relationships; 0 in an event: it ended. */
const ENDED = 0
const FRIEND = 1
const BLOCKED = 2
/** The flag of an activity that others can join or request to join. */
const JOIN = 1 << 1
const OFFLINE = 'offline'

export interface Friend {
  readonly id: string
  /** The display name, else the username; the id of a friend in the game whom the platform does not name. */
  readonly name: string
  readonly isPlatformFriend: boolean
  readonly isGameFriend: boolean
  /** `online`, `idle`, `dnd` or `offline`. */
  readonly status: string
  /** What the friend plays: this game, else any other. */
  readonly activity: Readonly<Record<string, unknown>> | undefined
  /** The session of this game that a join request can be about; undefined for a session that cannot be joined. */
  readonly joinableSession: string | undefined
}

export interface FriendsList {
  /** Online, and playing this game. */
  readonly onlinePlayingGame: readonly Friend[]
  readonly onlineElsewhere: readonly Friend[]
  readonly offline: readonly Friend[]
  /** How many relationships are not in the list, because the user has more than the bridge keeps. */
  readonly leftOut: number
}

/**
 * The list of the answers to GET_RELATIONSHIPS and GET_GAME_RELATIONSHIPS. Requests and blocked users are left out. Each group is in the order
 * of names. The presence of a friend in the game only is unknown, so that friend is offline.
 */
export function friendsByGroup(
  applicationId: string,
  { relationships, left_out: leftOut = 0 }: Relationships,
  gameRelationships: readonly GameRelationship[] = [],
): FriendsList {
  const byId = new Map(relationships.map((one) => [one.user.id, one]))
  const inGame = new Map(gameRelationships.filter(({ type }) => type === FRIEND).map((one) => [one.user_id, one]))
  const platformFriends = relationships.filter(({ type }) => type === FRIEND).map(({ user }) => user.id)
  const gameFriends = [...inGame.keys()].filter((id) => byId.get(id)?.type !== BLOCKED)
  const friends = [...new Set([...platformFriends, ...gameFriends])]
    .map((id) => friendOf(applicationId, id, byId.get(id), inGame.get(id)))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const isPlaying = ({ activity }: Friend): boolean => activity?.['application_id'] === applicationId
  const online = friends.filter(({ status }) => status !== OFFLINE)
  return {
    onlinePlayingGame: online.filter(isPlaying),
    onlineElsewhere: online.filter((friend) => !isPlaying(friend)),
    offline: friends.filter(({ status }) => status === OFFLINE),
    leftOut,
  }
}

function friendOf(applicationId: string, id: string, known: Relationship | undefined, inGame: GameRelationship | undefined): Friend {
  const user = known?.user ?? inGame?.user
  const isPlatformFriend = known?.type === FRIEND
  const { status = OFFLINE, activity: shown } = (isPlatformFriend ? known.presence : undefined) ?? {}
  const activity = isObject(shown) ? shown : undefined
  return {
    id,
    name: user?.global_name ?? user?.username ?? id,
    isPlatformFriend,
    isGameFriend: inGame !== undefined,
    status,
    activity,
    joinableSession: joinableSession(applicationId, activity),
  }
}

function joinableSession(applicationId: string, activity: Friend['activity']): string | undefined {
  const { application_id: of, flags, session_id: session } = activity ?? {}
  const isJoinable = of === applicationId && typeof flags === 'number' && (flags & JOIN) !== 0
  return isJoinable && typeof session === 'string' ? session : undefined
}

/** The answer to GET_RELATIONSHIPS after an event RELATIONSHIP_UPDATE. */
export function withRelationship(known: Relationships, changed: EventDataOf<'RELATIONSHIP_UPDATE'>): Relationships {
  const others = known.relationships.filter(({ user }) => user.id !== changed.user.id)
  return { ...known, relationships: changed.type === ENDED ? others : [...others, changed] }
}

/** The answer to GET_GAME_RELATIONSHIPS after an event GAME_RELATIONSHIP_UPDATE. */
export function withGameRelationship(
  known: readonly GameRelationship[],
  changed: EventDataOf<'GAME_RELATIONSHIP_UPDATE'>,
): readonly GameRelationship[] {
  const others = known.filter(({ user_id }) => user_id !== changed.user_id)
  return changed.type === ENDED ? others : [...others, changed]
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
