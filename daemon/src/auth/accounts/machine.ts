/** The account of one user with one application, as this bridge sees it: one table of states and events. Pure; what must happen comes out as data. */
import { AccountEndCause, AccountState, type SignInWay } from '@sallyport/protocol'

export const ACCOUNT_STATES = AccountState.options

/** What can be heard of an account. Those that end its use are also the causes that a game is told. */
export const ACCOUNT_EVENTS = [
  'code_exchanged',
  'merged',
  'provisional_token',
  'child_token',
  'token_accepted',
  'refreshed',
  ...AccountEndCause.options,
  'ban_lifted',
  'absorbed',
  'merge_refused_banned',
  'identity_linked',
] as const

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

/** What must be done to what hangs on the account. */
export type AccountDuty = 'delete-tokens' | 'end-sessions' | 'end-children'

export interface Move {
  readonly to: AccountState
  readonly duties: readonly AccountDuty[]
  /** How a game gets in from here; what it is told when it loses its sign-in. */
  readonly signIn: readonly SignInWay[]
}

/** An event that cannot follow, with the reason. When a platform sends it all the same, nothing changes and the log says so. */
export interface Impossible {
  readonly impossible: string
}

type Row = Readonly<Record<AccountEvent, Move | Impossible>>

const move = (to: AccountState, duties: readonly AccountDuty[] = [], ...signIn: readonly SignInWay[]): Move => ({ to, duties, signIn })
const never = (impossible: string): Impossible => ({ impossible })

const TOKENS: readonly AccountDuty[] = ['delete-tokens']
const EVERYTHING: readonly AccountDuty[] = ['delete-tokens', 'end-sessions', 'end-children']
/** The way of before, and the one that the platform leaves open meanwhile: first tried first. */
const ended = (...signIn: readonly SignInWay[]): Move => move('unlinked', EVERYTHING, ...signIn)
const lapsed = (to: AccountState): Move => move(to, EVERYTHING, 'provisional')

const NOT_HERE = 'nothing of this account is in use here that a merge could have named'
const NO_PARENT = 'only the account of a child application has a parent'
const NAMES_LINKED = 'the platform says this of a linked account, never of a provisional one'
const NO_OAUTH = 'a child application cannot run OAuth 2'
const NO_REFRESH = 'a child token cannot be refreshed'
const NO_MERGE = 'a child token takes no part in merges'

const UNLINKED: Row = {
  code_exchanged: move('linked'),
  merged: move('linked'),
  provisional_token: move('provisional'),
  child_token: move('child'),
  token_accepted: move('linked'),
  refreshed: move('linked'),
  // A bridge that has just started may hear the end of what it does not know yet: whatever is left goes.
  refresh_refused: ended('provisional', 'oauth2'),
  token_refused: ended('provisional', 'oauth2'),
  token_expired: ended('provisional', 'oauth2'),
  revoked_by_game: ended('oauth2', 'provisional'),
  revoked_by_user: ended('oauth2', 'provisional'),
  deauthorized: ended('provisional', 'oauth2'),
  banned: ended('provisional'),
  unmerged: ended('provisional', 'oauth2'),
  parent_ended: never(NO_PARENT),
  ban_lifted: move('unlinked'),
  absorbed: move('unlinked', TOKENS),
  merge_refused_banned: never(NOT_HERE),
  identity_linked: move('unlinked', [], 'oauth2'),
}

const LINKED: Row = {
  code_exchanged: move('linked'),
  merged: move('linked'),
  // The sign-in before was with a token of the game's own, which does not say what account it is of.
  provisional_token: move('provisional'),
  child_token: move('linked'),
  token_accepted: move('linked'),
  refreshed: move('linked'),
  refresh_refused: ended('provisional', 'oauth2'),
  token_refused: ended('provisional', 'oauth2'),
  token_expired: ended('oauth2'),
  revoked_by_game: ended('oauth2', 'provisional'),
  revoked_by_user: ended('oauth2', 'provisional'),
  deauthorized: ended('provisional', 'oauth2'),
  banned: ended('provisional'),
  unmerged: ended('provisional', 'oauth2'),
  parent_ended: never(NO_PARENT),
  ban_lifted: move('linked'),
  absorbed: move('unlinked', TOKENS, 'oauth2'),
  merge_refused_banned: move('linked'),
  identity_linked: move('linked', [], 'oauth2'),
}

const PROVISIONAL: Row = {
  code_exchanged: move('linked'),
  merged: move('linked'),
  provisional_token: move('provisional'),
  child_token: move('provisional'),
  token_accepted: move('provisional'),
  refreshed: move('provisional'),
  // The refresh of provisional accounts is deprecated: the way back is the way in.
  refresh_refused: lapsed('expired'),
  token_refused: ended('provisional', 'oauth2'),
  token_expired: lapsed('expired'),
  revoked_by_game: ended('provisional', 'oauth2'),
  revoked_by_user: ended('provisional', 'oauth2'),
  deauthorized: ended('provisional', 'oauth2'),
  banned: move('restricted', [], 'provisional'),
  unmerged: ended('provisional', 'oauth2'),
  parent_ended: never(NO_PARENT),
  ban_lifted: move('provisional'),
  absorbed: move('unlinked', TOKENS, 'oauth2'),
  merge_refused_banned: move('restricted', [], 'provisional'),
  identity_linked: never(NAMES_LINKED),
}

const RESTRICTED: Row = {
  ...PROVISIONAL,
  provisional_token: move('restricted'),
  child_token: move('restricted'),
  token_accepted: move('restricted'),
  refreshed: move('restricted'),
  // The restriction is the account's, not the token's.
  refresh_refused: lapsed('restricted'),
  token_expired: lapsed('restricted'),
  ban_lifted: move('provisional', [], 'provisional', 'oauth2'),
}

const EXPIRED: Row = {
  ...PROVISIONAL,
  child_token: move('child'),
  ban_lifted: move('expired'),
}

const CHILD: Row = {
  code_exchanged: never(NO_OAUTH),
  merged: never(NO_OAUTH),
  provisional_token: move('provisional'),
  child_token: move('child'),
  token_accepted: move('child'),
  refreshed: never(NO_REFRESH),
  refresh_refused: never(NO_REFRESH),
  token_refused: ended('parent_token'),
  token_expired: ended('parent_token'),
  revoked_by_game: ended('parent_token'),
  revoked_by_user: ended('parent_token'),
  deauthorized: ended('parent_token'),
  banned: ended('parent_token'),
  unmerged: ended('parent_token'),
  parent_ended: ended('parent_token'),
  ban_lifted: move('child'),
  absorbed: never(NO_MERGE),
  merge_refused_banned: never(NO_MERGE),
  identity_linked: move('child', [], 'oauth2'),
}

export const ACCOUNT_TABLE: Readonly<Record<AccountState, Row>> = {
  unlinked: UNLINKED,
  linked: LINKED,
  provisional: PROVISIONAL,
  restricted: RESTRICTED,
  expired: EXPIRED,
  child: CHILD,
}

export const isImpossible = (entry: Move | Impossible): entry is Impossible => 'impossible' in entry

/** What follows an event. Every pair is in the table. */
export const nextOf = (state: AccountState, event: AccountEvent): Move | Impossible => ACCOUNT_TABLE[state][event]

/** What a person is told of each end when nobody said it better. */
export const END_REASONS: Readonly<Record<AccountEndCause, string>> = {
  refresh_refused: 'The platform no longer accepts the tokens.',
  token_refused: 'The platform no longer accepts the token.',
  token_expired: 'The token has expired and cannot be refreshed.',
  revoked_by_game: 'The game revoked the token.',
  revoked_by_user: 'The user took the permission away.',
  deauthorized: 'The user removed the application from the account.',
  banned: 'The account is banned; a provisional account takes its place until that ends.',
  unmerged: 'The account was parted from its external identity.',
  parent_ended: 'The token of the parent application has ended, and this one with it.',
}

const CAUSES: ReadonlySet<string> = new Set(AccountEndCause.options)

/** The cause a game is told; undefined for events that end nothing. */
export const endCauseOf = (event: AccountEvent): AccountEndCause | undefined => (CAUSES.has(event) ? (event as AccountEndCause) : undefined)
