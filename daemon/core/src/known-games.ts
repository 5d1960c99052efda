/** The games that the bridge knows, one by program and application, from the lists of its state; and the places of the state in words. Pure. */
import type { BridgeState } from '@sallyport/protocol'

type Grant = BridgeState['grants'][number]
type Game = BridgeState['games'][number]
type Presence = BridgeState['presences'][number]
type Place = BridgeState['places'][number]

/** `own-token`: it signed in with a token that the bridge does not have. `not-allowed`: it has no grant, which presence does not need. */
export type GameAccess = 'allowed' | 'once' | 'own-token' | 'blocked' | 'not-allowed'

export interface KnownGame {
  /** Of its grant, or the number of its connection; for actions. */
  readonly id: string
  readonly application_id: string
  readonly name: string
  readonly program: string
  readonly program_name: string
  readonly access: GameAccess
  readonly running: boolean
  /** Whether the user can block and hide it. */
  readonly can_choose: boolean
  /** Its activities are not shown: always, or until it has left. */
  readonly hidden?: 'hidden' | 'hidden-now'
  /** Where it is shown now. */
  readonly shown_on: readonly string[]
  /** Where the user wants it to be shown; absent: as every game. */
  readonly chosen_places?: readonly string[]
}

type State = Pick<BridgeState, 'games' | 'grants' | 'presences' | 'applications'>

const accessOf = (grant: Grant | undefined): GameAccess => {
  if (grant === undefined || grant.basis === 'none') return 'not-allowed'
  if (grant.basis === 'blocked') return 'blocked'
  return grant.basis === 'token' ? 'own-token' : grant.lasts === undefined ? 'allowed' : 'once'
}

const keyOf = ({ program, application_id: id }: Pick<Game, 'program' | 'application_id'>): string => JSON.stringify([program, id])

/** As the platform names the application, else as the game does. */
export function gameName(
  { applications }: Pick<BridgeState, 'applications'>,
  game: Pick<Game, 'application_id' | 'application_name'>,
): string {
  const known = applications.find(({ id }) => id === game.application_id)
  return known?.name ?? game.application_name ?? known?.claimed_name ?? `Application ${game.application_id}`
}

function knownGame(state: State, games: readonly Game[], grants: readonly Grant[], presence: Presence | undefined): KnownGame {
  // Of several users, what was allowed last.
  const grant = grants.find(({ basis }) => basis === 'allowed') ?? grants[0]
  const [game] = games
  const one = (grant ?? game) as Grant | Game
  const hidden = grants.find((row) => row.presence !== undefined)?.presence
  const places = grants.find((row) => row.chosen_places !== undefined)?.chosen_places
  return {
    id: grant?.id ?? String(game?.connection),
    application_id: one.application_id,
    name: gameName(state, one),
    program: one.program,
    program_name: one.program_name,
    access: accessOf(grant),
    running: games.length > 0,
    can_choose: game?.can_choose ?? true,
    ...(hidden === undefined ? {} : { hidden }),
    shown_on: presence?.shown_on ?? [],
    ...(places === undefined ? {} : { chosen_places: places }),
  }
}

/** Running games first. */
export function knownGames(state: State): readonly KnownGame[] {
  const keys = [...new Set([...state.games, ...state.grants].map(keyOf))]
  return keys.map((key) => {
    const games = state.games.filter((game) => keyOf(game) === key)
    const presence = state.presences.find(({ connection }) => games.some((game) => game.connection === connection))
    return knownGame(
      state,
      games,
      state.grants.filter((grant) => keyOf(grant) === key),
      presence,
    )
  })
}

const CONSTANT: Readonly<Partial<Record<Place['kind'], string>>> = {
  account: 'the account of the sign-in',
  web: 'pages in a browser',
}

/** A client by the name of its user, which is what people know of it. */
export function placeText({ id, kind, username, build, package: packaging, running }: Place): string {
  const notes = [build, packaging, ...(running || kind !== 'client' ? [] : ['not running'])].filter(Boolean)
  return `${CONSTANT[kind] ?? username ?? `client ${id}`}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

export const placesText = (ids: readonly string[], places: readonly Place[]): string =>
  ids
    .map((id) => {
      const place = places.find((one) => one.id === id)
      return place === undefined ? id : placeText(place)
    })
    .join(', ')
