/** State machine of one user's account with one application: a table of states and events. Pure; effects are returned as data. */
import { ACCOUNT_END_CAUSES, type AccountEndCause, type AccountState, type SignInMethod } from '@sallyport/protocol'

/** Events of an account. Those that end its use are also the causes that games receive. */
export const ACCOUNT_EVENTS = [
  'code_exchanged',
  'merged',
  'provisional_token',
  'child_token',
  'token_accepted',
  'refreshed',
  ...ACCOUNT_END_CAUSES,
  'ban_lifted',
  'absorbed',
  'merge_refused_banned',
  'identity_linked',
] as const

export type AccountEvent = (typeof ACCOUNT_EVENTS)[number]

/** Side effects on what depends on the account. */
export type AccountEffect = 'delete-tokens' | 'end-sessions' | 'end-children'

export interface Transition {
  readonly to: AccountState
  readonly effects: readonly AccountEffect[]
  /** How a game can sign in from this state; games receive it when they lose their sign-in. */
  readonly signIn: readonly SignInMethod[]
}

/** An event that is invalid in this state, with the reason. When a platform sends it anyway, the state stays and a warning is logged. */
interface InvalidTransition {
  readonly invalid: string
}

type Row = Readonly<Record<AccountEvent, Transition | InvalidTransition>>

const goTo = (to: AccountState, effects: readonly AccountEffect[] = [], ...signIn: readonly SignInMethod[]): Transition => ({
  to,
  effects,
  signIn,
})
const invalid = (reason: string): InvalidTransition => ({ invalid: reason })

const TOKENS: readonly AccountEffect[] = ['delete-tokens']
const EVERYTHING: readonly AccountEffect[] = ['delete-tokens', 'end-sessions', 'end-children']
/** `signIn`: the method used before, and the other one that the platform allows, in the order to try them. */
const ended = (...signIn: readonly SignInMethod[]): Transition => goTo('unlinked', EVERYTHING, ...signIn)
const endedAs = (to: AccountState): Transition => goTo(to, EVERYTHING, 'provisional')

const NO_MERGE_REQUESTED = 'no sign-in of this account here could have requested a merge'
const NO_PARENT = 'only the account of a child application has a parent'
const LINKED_ONLY = 'the platform sends this event for linked accounts only'
const NO_OAUTH = 'a child application cannot run OAuth 2'
const NO_REFRESH = 'a child token cannot be refreshed'
const NO_MERGE = 'a child token cannot be merged'

const UNLINKED: Row = {
  code_exchanged: goTo('linked'),
  merged: goTo('linked'),
  provisional_token: goTo('provisional'),
  child_token: goTo('child'),
  token_accepted: goTo('linked'),
  refreshed: goTo('linked'),
  // A bridge that has just started may receive this for an account it has not loaded yet: everything stored is deleted.
  refresh_refused: ended('provisional', 'oauth2'),
  token_refused: ended('provisional', 'oauth2'),
  token_expired: ended('provisional', 'oauth2'),
  revoked_by_game: ended('oauth2', 'provisional'),
  revoked_by_user: ended('oauth2', 'provisional'),
  deauthorized: ended('provisional', 'oauth2'),
  banned: ended('provisional'),
  unmerged: ended('provisional', 'oauth2'),
  parent_ended: invalid(NO_PARENT),
  ban_lifted: goTo('unlinked'),
  absorbed: goTo('unlinked', TOKENS),
  merge_refused_banned: invalid(NO_MERGE_REQUESTED),
  identity_linked: goTo('unlinked', [], 'oauth2'),
}

const LINKED: Row = {
  code_exchanged: goTo('linked'),
  merged: goTo('linked'),
  // The earlier sign-in used the game's own token, which does not show the kind of account.
  provisional_token: goTo('provisional'),
  child_token: goTo('linked'),
  token_accepted: goTo('linked'),
  refreshed: goTo('linked'),
  refresh_refused: ended('provisional', 'oauth2'),
  token_refused: ended('provisional', 'oauth2'),
  token_expired: ended('oauth2'),
  revoked_by_game: ended('oauth2', 'provisional'),
  revoked_by_user: ended('oauth2', 'provisional'),
  deauthorized: ended('provisional', 'oauth2'),
  banned: ended('provisional'),
  unmerged: ended('provisional', 'oauth2'),
  parent_ended: invalid(NO_PARENT),
  ban_lifted: goTo('linked'),
  absorbed: goTo('unlinked', TOKENS, 'oauth2'),
  merge_refused_banned: goTo('linked'),
  identity_linked: goTo('linked', [], 'oauth2'),
}

const PROVISIONAL: Row = {
  code_exchanged: goTo('linked'),
  merged: goTo('linked'),
  provisional_token: goTo('provisional'),
  child_token: goTo('provisional'),
  token_accepted: goTo('provisional'),
  refreshed: goTo('provisional'),
  // The platform deprecates refreshing provisional accounts, so the game signs in again.
  refresh_refused: endedAs('expired'),
  token_refused: ended('provisional', 'oauth2'),
  token_expired: endedAs('expired'),
  revoked_by_game: ended('provisional', 'oauth2'),
  revoked_by_user: ended('provisional', 'oauth2'),
  deauthorized: ended('provisional', 'oauth2'),
  banned: goTo('restricted', [], 'provisional'),
  unmerged: ended('provisional', 'oauth2'),
  parent_ended: invalid(NO_PARENT),
  ban_lifted: goTo('provisional'),
  absorbed: goTo('unlinked', TOKENS, 'oauth2'),
  merge_refused_banned: goTo('restricted', [], 'provisional'),
  identity_linked: invalid(LINKED_ONLY),
}

const RESTRICTED: Row = {
  ...PROVISIONAL,
  provisional_token: goTo('restricted'),
  child_token: goTo('restricted'),
  token_accepted: goTo('restricted'),
  refreshed: goTo('restricted'),
  // The restriction is the account's, not the token's.
  refresh_refused: endedAs('restricted'),
  token_expired: endedAs('restricted'),
  ban_lifted: goTo('provisional', [], 'provisional', 'oauth2'),
}

const EXPIRED: Row = {
  ...PROVISIONAL,
  child_token: goTo('child'),
  ban_lifted: goTo('expired'),
}

const CHILD: Row = {
  code_exchanged: invalid(NO_OAUTH),
  merged: invalid(NO_OAUTH),
  provisional_token: goTo('provisional'),
  child_token: goTo('child'),
  token_accepted: goTo('child'),
  refreshed: invalid(NO_REFRESH),
  refresh_refused: invalid(NO_REFRESH),
  token_refused: ended('parent_token'),
  token_expired: ended('parent_token'),
  revoked_by_game: ended('parent_token'),
  revoked_by_user: ended('parent_token'),
  deauthorized: ended('parent_token'),
  banned: ended('parent_token'),
  unmerged: ended('parent_token'),
  parent_ended: ended('parent_token'),
  ban_lifted: goTo('child'),
  absorbed: invalid(NO_MERGE),
  merge_refused_banned: invalid(NO_MERGE),
  identity_linked: goTo('child', [], 'oauth2'),
}

const ACCOUNT_TABLE: Readonly<Record<AccountState, Row>> = {
  unlinked: UNLINKED,
  linked: LINKED,
  provisional: PROVISIONAL,
  restricted: RESTRICTED,
  expired: EXPIRED,
  child: CHILD,
}

export const isInvalid = (entry: Transition | InvalidTransition): entry is InvalidTransition => 'invalid' in entry

/** The transition for an event. The table has every pair. */
export const transition = (state: AccountState, event: AccountEvent): Transition | InvalidTransition => ACCOUNT_TABLE[state][event]

/** Default sentence for users, by cause. */
export const REVOCATION_REASONS: Readonly<Record<AccountEndCause, string>> = {
  refresh_refused: 'The platform no longer accepts the tokens.',
  token_refused: 'The platform no longer accepts the token.',
  token_expired: 'The token has expired and cannot be refreshed.',
  revoked_by_game: 'The game revoked the token.',
  revoked_by_user: 'The user revoked the permission.',
  deauthorized: 'The user removed the application from the account.',
  banned: 'The account is banned; a provisional account takes its place until that ends.',
  unmerged: 'The account was separated from its external identity.',
  parent_ended: 'The token of the parent application ended, so this one ended too.',
}

const CAUSES: ReadonlySet<string> = new Set(ACCOUNT_END_CAUSES)

/** The cause that games receive; undefined for events that do not end the account's use. */
export const endCauseOf = (event: AccountEvent): AccountEndCause | undefined => (CAUSES.has(event) ? (event as AccountEndCause) : undefined)
