/** What the user chooses for one program, besides revoking its grant. Each choice takes effect at once, also for connected games. */
import { CLOSE_CODES, expandScopes } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Grant } from '../auth/grants/grant.ts'
import { isBlocked, isGrant, isOfCommandLine } from '../auth/grants/terms.ts'
import { isSamePath, type Program, programOf } from '../identity/program.ts'
import { chooseForEveryGame, type PlaceChoiceDeps, requireKnownPlaces } from './chosen-places.ts'
import { afterRemoval, type GrantRevocationDeps, revokeGrant } from './grant-revocation.ts'
import type { SessionRegistry } from './registry.ts'
import type { Session } from './session.ts'
import type { TemporaryGrants } from './temporary-grants.ts'

/**
 * `block`: the program gets nothing, until the user revokes the row. `narrow`: it does not get these scopes; those taken before return.
 * `hide`, `hide-now`, `show`: whether its activities are shown. `choose-places`: where. `for-session`, `keep`: how long the grant lasts.
 */
export type GrantChoice = 'block' | 'narrow' | 'hide' | 'hide-now' | 'show' | 'choose-places' | 'for-session' | 'keep'

/** What the choice is about, besides the grant. */
export interface ChoiceDetails {
  /** Of `narrow`. */
  readonly scopes?: readonly string[] | undefined
  /** Of `choose-places`; undefined takes the choice back. */
  readonly places?: readonly string[] | undefined
}

export interface GrantChoiceDeps extends GrantRevocationDeps, PlaceChoiceDeps {
  readonly grants: GrantRevocationDeps['grants'] & PlaceChoiceDeps['grants']
  /** A session has other scopes, so other events are for it. */
  readonly scopesChanged: (session: Session) => void
  /** Activities are hidden or shown. */
  readonly visibilityChanged: () => void
  readonly temporary: Pick<TemporaryGrants, 'check'>
}

type Choose = (grant: Grant, deps: GrantChoiceDeps, details: ChoiceDetails) => void | Promise<void>

/** Sessions of a program by what connected, also when the process is no longer trusted to be it. */
const sessionsOf = (registry: Pick<SessionRegistry, 'all'>, program: Program): readonly Session[] =>
  registry.all().filter((session) => isSamePath(programOf(session.connection.peer), program))

const BLOCKED = 'The user blocked this program.'

async function block(grant: Grant, deps: GrantChoiceDeps): Promise<void> {
  const { grants, registry, log } = deps
  if (isOfCommandLine(grant.program))
    throw new BridgeError('INVALID_PAYLOAD', 'This is the command line of Sallyport, which lifts blocks. Revoke its grant instead.')
  const others = grants.ofPath(grant.program).filter(({ id }) => id !== grant.id)
  // First what holds after a crash.
  grants.block(grant)
  log.info('program-blocked', { grant: grant.id, application: grant.applicationId })
  for (const session of sessionsOf(registry, grant.program)) {
    session.isBlocked = true
    session.connection.close(CLOSE_CODES.TOKEN_REVOKED.code, BLOCKED)
  }
  if (isGrant(grant)) await afterRemoval(grant, BLOCKED, grants.ofAccount(grant).length > 0, deps)
  for (const { id } of others) await revokeGrant(id, deps)
}

function narrow(grant: Grant, { grants, registry, scopesChanged }: GrantChoiceDeps, { scopes = [] }: ChoiceDetails): void {
  const held = expandScopes(grant.scopes)
  const unknown = scopes.filter((scope) => !held.has(scope))
  if (unknown.length > 0)
    throw new BridgeError(
      'INVALID_PAYLOAD',
      `The grant does not have ${unknown.join(', ')}. It has ${[...held].join(', ') || 'no scope'}.`,
      {
        path: 'scopes',
      },
    )
  grants.choose(grant, { deniedScopes: scopes })
  for (const session of registry.signedInAs(grant)) {
    if (!isSamePath(session.program, grant.program)) continue
    session.deny(scopes)
    scopesChanged(session)
  }
}

/** A program shows one presence for an application, so the rows of all its users change. */
function chooseForProgram(row: Grant, choice: Partial<Pick<Grant, 'presence' | 'places'>>, { grants }: GrantChoiceDeps): void {
  const stored = grants.forPath(row.program, row.applicationId)
  for (const grant of stored.length === 0 ? [row] : stored) grants.choose(grant, choice)
}

const showing =
  (presence: Grant['presence']): Choose =>
  (row, deps) => {
    chooseForProgram(row, { presence }, deps)
    deps.visibilityChanged()
    deps.temporary.check(row.program)
  }

function choosePlaces(row: Grant, deps: GrantChoiceDeps, { places }: ChoiceDetails): void {
  chooseForProgram(row, { places }, deps)
  deps.placesChanged()
}

const lasting =
  (lasts: Grant['lasts']): Choose =>
  (grant, { grants, temporary }) => {
    grants.choose(grant, { lasts })
    temporary.check(grant.program)
  }

const CHOICES: Readonly<Record<GrantChoice, Choose>> = {
  block,
  narrow,
  hide: showing('hidden'),
  'hide-now': showing('hidden-now'),
  show: showing('shown'),
  'choose-places': choosePlaces,
  'for-session': lasting('session'),
  keep: lasting('kept'),
}

/** Choices that a program without a grant can have. */
const WITHOUT_GRANT: readonly GrantChoice[] = ['block', 'hide', 'hide-now', 'show', 'choose-places']

/** The row of a connected game, which may have no grant, because SET_ACTIVITY needs none. */
function rowOfConnection(id: string, { grants, registry }: GrantChoiceDeps): Grant | undefined {
  const session = /^\d+$/.test(id) ? registry.find(Number(id)) : undefined
  return session && grants.rowFor(session.program, session.applicationId)
}

/**
 * `id`: of a grant, or the number of a connection; `all` for the places of every game. False when there is neither, the program cannot be recognised later, or is blocked already.
 * Rejects with INVALID_PAYLOAD, or when something could not be stored.
 */
export async function chooseForGrant(id: string, choice: GrantChoice, details: ChoiceDetails, deps: GrantChoiceDeps): Promise<boolean> {
  requireKnownPlaces(details.places, deps)
  if (choice === 'choose-places' && chooseForEveryGame(id, details.places, deps)) return true
  const grant = deps.grants.get(id) ?? rowOfConnection(id, deps)
  if (grant === undefined || isBlocked(grant)) return false
  if (!isGrant(grant) && !WITHOUT_GRANT.includes(choice)) return false
  await CHOICES[choice](grant, deps, details)
  return true
}
