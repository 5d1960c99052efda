/** The grants of one platform, cached in memory. Reads do not query the database; writes are stored before they are visible. */
import { type AccountKey, isSameAccount } from '@sallyport/core/account-key'
import { BoundedMap } from '@sallyport/core/bounded-map'
import type { Clock } from '@sallyport/core/clock'
import { compareFiles, isKnown, isSamePath, isSameProgram, type Program } from '../../identity/program.ts'
import { blockedProgram } from './blocked.ts'
import { everyGame, everyGameId } from './every-game.ts'
import type { Grant, GrantPresence, GrantStore } from './grant.ts'
import { GrantRows } from './grant-rows.ts'
import { hasEnded, isChoice, isGrant, isOfCommandLine, isStale, newScopes, shouldTouch } from './terms.ts'

export interface GrantsDeps {
  readonly platform: string
  readonly store: GrantStore
  readonly clock: Clock
  /** Returns a short random text. */
  readonly newId: () => string
}

/** Display names, where known. */
export interface DisplayNames {
  readonly applicationName?: string | undefined
  readonly username?: string | undefined
}

/** What the user chose when allowing it. Scopes taken before stay so. */
export type GrantedChoice = Pick<Grant, 'deniedScopes' | 'lasts'>

/** Identifies a grant. */
export interface GrantKey extends AccountKey {
  readonly program: Program
}

/** Programs that were allowed and have not signed in yet. */
const MAX_CHOSEN = 256
const chosenKey = ({ uid, kind, executable }: Program, applicationId: string): string =>
  JSON.stringify([uid, kind, executable, applicationId])

function some(grants: Iterable<Grant>, isWanted: (grant: Grant) => boolean): boolean {
  for (const grant of grants) if (isWanted(grant)) return true
  return false
}

const newestFirst = (grants: readonly Grant[]): readonly Grant[] => grants.toSorted((a, b) => b.grantedAt - a.grantedAt)

export class Grants {
  readonly #deps: GrantsDeps
  readonly #rows = new GrantRows()
  readonly #chosen = new BoundedMap<string, GrantedChoice>(MAX_CHOSEN)
  #placesOfAll: readonly string[] | undefined

  constructor(deps: GrantsDeps) {
    this.#deps = deps
    for (const grant of deps.store.load(deps.platform)) {
      if (grant.id === everyGameId(deps.platform)) this.#placesOfAll = grant.places
      else this.#rows.put(grant)
    }
  }

  /** The grants that have not ended, newest first. */
  live(): readonly Grant[] {
    const now = this.#deps.clock.now()
    return newestFirst([...this.#rows.values()].filter((grant) => !hasEnded(grant, now)))
  }

  /** The grant of this program path, including ended ones and those of an earlier file. */
  find({ program, applicationId, userId }: GrantKey): Grant | undefined {
    return this.forPath(program, applicationId).find((grant) => grant.userId === userId)
  }

  /** All rows of a program path for an application, including ended ones and those of an earlier file. */
  forPath(program: Program, applicationId: string): readonly Grant[] {
    return [...this.#rows.at(program)].filter((grant) => grant.applicationId === applicationId && isSamePath(grant.program, program))
  }

  /** Whether the user ever allowed a program at this path, also one with another file, whose grant is still stored. */
  wasAllowed(program: Program, applicationId: string): boolean {
    // Called at each handshake, so nothing is copied.
    const isIt = (grant: Grant) => grant.applicationId === applicationId && grant.basis === 'allowed' && isSamePath(grant.program, program)
    return some(this.#rows.at(program), isIt)
  }

  /** Grants of this program path whose file differs in ctime only: only the content shows whether it is the same program. */
  withOtherCtime(program: Program, applicationId: string): readonly Grant[] {
    return this.forPath(program, applicationId).filter((grant) => compareFiles(grant.program, program) === 'ctime-changed')
  }

  /** Updates the grant to the current file, whose content is the same. */
  updateProgram(grant: Grant, program: Program): void {
    this.#put({ ...grant, program })
  }

  /** Grants that the user gave to exactly this program, newest first. */
  allowed(program: Program, applicationId: string): readonly Grant[] {
    const now = this.#deps.clock.now()
    const isIt = (grant: Grant) => grant.basis === 'allowed' && !hasEnded(grant, now) && isSameProgram(grant.program, program)
    return newestFirst(this.forPath(program, applicationId).filter(isIt))
  }

  /** Live grants of an account, for all programs but blocked ones. */
  ofAccount(account: AccountKey): readonly Grant[] {
    const now = this.#deps.clock.now()
    return newestFirst(this.#grantsOf(account).filter((grant) => !hasEnded(grant, now)))
  }

  /** Whether the account was used lately. Ended grants of the command line count. */
  isInUse(account: AccountKey): boolean {
    const now = this.#deps.clock.now()
    return this.#grantsOf(account).some((grant) => !isStale(grant, now))
  }

  /** Whether exactly this program has a live grant of any basis, for this application or for any when it is undefined. */
  has(program: Program, applicationId?: string): boolean {
    const isForApplication = (grant: Grant) => applicationId === undefined || grant.applicationId === applicationId
    const now = this.#deps.clock.now()
    const isLive = (grant: Grant) =>
      isGrant(grant) && !hasEnded(grant, now) && isForApplication(grant) && isSameProgram(grant.program, program)
    return [...this.#rows.at(program)].some(isLive)
  }

  /** The application's name as the platform sent it at a sign-in. */
  applicationName(applicationId: string): string | undefined {
    return this.#rows.latestNamed(applicationId, this.#deps.clock.now())?.applicationName
  }

  /**
   * The user allowed a program and chose this besides, before the platform named the user: it holds for the next grant of the program, whichever
   * of its connections brings that.
   */
  choseBefore(program: Program, applicationId: string, choice: GrantedChoice): void {
    this.#chosen.set(chosenKey(program, applicationId), choice)
  }

  /** Adds scopes that the user allowed a program. Stores nothing for a program that cannot be recognised later. */
  allow(key: GrantKey, scopes: readonly string[], names: DisplayNames, choice?: GrantedChoice): Grant | undefined {
    if (!isKnown(key.program)) return undefined
    const before = this.#earlier(key)
    const held = before?.basis === 'allowed' ? before.scopes : []
    const chosen = chosenKey(key.program, key.applicationId)
    const grant = this.#write(
      key,
      { ...names, basis: 'allowed', scopes: [...held, ...newScopes(scopes, held)] },
      choice ?? this.#chosen.get(chosen),
    )
    this.#chosen.delete(chosen)
    return grant
  }

  /** Records that a program used its own token. An existing grant of the user does not change. */
  recordOwnToken(key: GrantKey, scopes: readonly string[], names: DisplayNames): void {
    if (!isKnown(key.program)) return
    const before = this.#earlier(key)
    const isListed = before !== undefined && (before.basis === 'allowed' || before.scopes.join(' ') === scopes.join(' '))
    if (isListed) this.touch(key, names)
    else this.#write(key, { ...names, basis: 'token', scopes })
  }

  /** Records a use of the grant: at most once a day (command line: once a second), or when a display name changes. */
  touch(key: GrantKey, names: DisplayNames): void {
    const grant = this.find(key)
    // A session of an earlier file must not touch the grant of the current file.
    if (grant === undefined || !isSameProgram(grant.program, key.program)) return
    const now = this.#deps.clock.now()
    // A connection that stays open must not renew an ended grant.
    if (isOfCommandLine(grant.program) && hasEnded(grant, now)) return
    const { applicationName = grant.applicationName, username = grant.username } = names
    const isSame = applicationName === grant.applicationName && username === grant.username
    if (isSame && !shouldTouch(grant, now)) return
    this.#put({ ...grant, applicationName, username, lastUsedAt: now })
  }

  /** Deletes a grant; what the user hid stays hidden. Undefined when there is none. */
  remove(id: string): Grant | undefined {
    const grant = this.#rows.get(id)
    if (grant !== undefined) this.#end([grant])
    return grant
  }

  get(id: string): Grant | undefined {
    return this.#rows.get(id)
  }

  /** All rows of a program path, for each application and user. */
  ofPath(program: Program): readonly Grant[] {
    return [...this.#rows.at(program)].filter((grant) => isSamePath(grant.program, program))
  }

  /** Whether the user blocked the program at this path. Called for each connection. */
  isBlocked(program: Program): boolean {
    return some(this.#rows.marked('blocked'), (grant) => isSamePath(grant.program, program))
  }

  /** Whether what the program at this path sets for an application is shown. Called for each activity. */
  presenceOf(program: Program, applicationId: string): GrantPresence {
    for (const grant of this.#rows.marked('hidden'))
      if (grant.applicationId === applicationId && isSamePath(grant.program, program)) return grant.presence
    return 'shown'
  }

  /** Where the user chose that what the program at this path sets for an application is shown; undefined: the user chose nothing. */
  placesOf(program: Program, applicationId: string): readonly string[] | undefined {
    return this.ownPlacesOf(program, applicationId) ?? this.#placesOfAll
  }

  /** The same without what the user chose for every game. */
  ownPlacesOf(program: Program, applicationId: string): readonly string[] | undefined {
    for (const grant of this.#rows.marked('placed'))
      if (grant.applicationId === applicationId && isSamePath(grant.program, program)) return grant.places
    return undefined
  }

  /** Where the user chose that each game is shown for which there is no choice of its own. */
  get placesOfAll(): readonly string[] | undefined {
    return this.#placesOfAll
  }

  /** Stores that choice; undefined takes it back. */
  choosePlacesOfAll(places: readonly string[] | undefined): void {
    const { store, platform, clock } = this.#deps
    if (places !== undefined) store.put(everyGame(platform, places, clock.now()))
    else if (this.#placesOfAll !== undefined) store.remove([everyGameId(platform)])
    this.#placesOfAll = places
  }

  /** Every place that the user named in a choice. */
  chosenPlaces(): readonly string[] {
    return [...new Set([...(this.#placesOfAll ?? []), ...[...this.#rows.marked('placed')].flatMap(({ places = [] }) => places)])]
  }

  /** Grants of which something ends when their program has left. */
  temporary(): readonly Grant[] {
    return [...this.#rows.marked('temporary')]
  }

  /** Stores what the user chose for a grant. A row that no longer says anything is deleted. */
  choose(grant: Grant, choice: Partial<Pick<Grant, 'deniedScopes' | 'presence' | 'lasts' | 'places'>>): void {
    const chosen = { ...grant, ...choice }
    if (chosen.basis === 'none' && !isChoice(chosen)) this.#drop([grant])
    else this.#put(chosen)
  }

  /** A row for a choice about a program that may have no grant: an existing one of the application, or a new one, which is not stored yet. */
  rowFor(program: Program, applicationId: string): Grant | undefined {
    if (!isKnown(program)) return undefined
    return this.forPath(program, applicationId)[0] ?? this.#withoutGrant(program, applicationId)
  }

  /** Puts a refusal in the place of a grant. */
  block(grant: Grant): void {
    this.#put({ ...grant, basis: 'blocked', scopes: [], deniedScopes: [], presence: 'shown', lasts: 'kept', places: undefined })
  }

  /** Deletes all grants of an account. Blocked programs stay blocked, hidden ones hidden. */
  deleteAccount(account: AccountKey): void {
    this.#end(this.#grantsOf(account))
  }

  /**
   * Deletes ended grants and returns them. When an account has only ended grants of the command line, the last one stays until it is
   * stale, because its tokens are kept and another terminal may need them.
   */
  sweep(): readonly Grant[] {
    const now = this.#deps.clock.now()
    const ended = [...[...this.#rows.values()].filter((grant) => isStale(grant, now)), ...this.#endedSessions(now)]
    this.#end(ended)
    return ended
  }

  /** Ended grants of the command line, without the most recent one of each account. */
  #endedSessions(now: number): readonly Grant[] {
    const recent = [...this.#rows.values()].filter((grant) => !isStale(grant, now)).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
    const isNewest = (grant: Grant): boolean => recent.find((other) => isSameAccount(other, grant)) === grant
    return recent.filter((grant) => isOfCommandLine(grant.program) && hasEnded(grant, now) && !isNewest(grant))
  }

  /** All grants of an account, also ended ones. */
  #grantsOf(account: AccountKey): readonly Grant[] {
    return [...this.#rows.of(account.applicationId)].filter((grant) => isSameAccount(grant, account) && isGrant(grant))
  }

  /** The live grant of exactly this file, if any. */
  #earlier(key: GrantKey): Grant | undefined {
    const grant = this.find(key)
    const isSame = grant !== undefined && isSameProgram(grant.program, key.program) && !hasEnded(grant, this.#deps.clock.now())
    return isSame ? grant : undefined
  }

  /**
   * The platform may authorize again without a page, so a command line could renew its grant forever. A grant without new scopes keeps
   * its first time.
   */
  #grantedAt(key: GrantKey, { basis, scopes }: Pick<Grant, 'basis' | 'scopes'>, now: number): number {
    const earlier = this.#earlier(key)
    const isNotWider = earlier !== undefined && earlier.basis === basis && newScopes(scopes, earlier.scopes).length === 0
    return isNotWider && isOfCommandLine(key.program) ? earlier.grantedAt : now
  }

  #write(key: GrantKey, values: Pick<Grant, 'basis' | 'scopes'> & DisplayNames, choice?: GrantedChoice): Grant {
    const { clock, platform } = this.#deps
    // The user may have blocked it during the sign-in.
    if (this.isBlocked(key.program)) throw blockedProgram()
    const before = this.find(key)
    const now = clock.now()
    // Each terminal has its own row.
    if (isOfCommandLine(key.program)) this.#drop(this.#endedSessions(now))
    const grant: Grant = {
      id: before?.id ?? this.#freeId(),
      platform,
      applicationId: key.applicationId,
      applicationName: values.applicationName ?? before?.applicationName,
      userId: key.userId,
      username: values.username ?? before?.username,
      program: key.program,
      basis: values.basis,
      scopes: values.scopes,
      deniedScopes: [...new Set([...(before?.deniedScopes ?? []), ...(choice?.deniedScopes ?? [])])],
      presence: this.presenceOf(key.program, key.applicationId),
      places: this.ownPlacesOf(key.program, key.applicationId),
      lasts: choice?.lasts ?? before?.lasts ?? 'kept',
      grantedAt: this.#grantedAt(key, values, now),
      lastUsedAt: now,
    }
    this.#put(grant)
    this.#drop(this.forPath(key.program, key.applicationId).filter(({ basis }) => basis === 'none'))
    return grant
  }

  #withoutGrant(program: Program, applicationId: string): Grant {
    const { clock, platform } = this.#deps
    const now = clock.now()
    return {
      id: this.#freeId(),
      platform,
      applicationId,
      applicationName: undefined,
      userId: '',
      username: undefined,
      program,
      basis: 'none',
      scopes: [],
      deniedScopes: [],
      presence: 'shown',
      lasts: 'kept',
      grantedAt: now,
      lastUsedAt: now,
    }
  }

  /** Deletes grants. What the user chose about the presence of a program stays when its last one ends. */
  #end(grants: readonly Grant[]): void {
    this.#drop(grants)
    for (const grant of grants) {
      const { id, program, applicationId, presence, places } = grant
      const isLast = isGrant(grant) && isChoice(grant) && this.forPath(program, applicationId).length === 0
      if (isLast) this.#put({ ...this.#withoutGrant(program, applicationId), id, presence, places })
    }
  }

  #freeId(): string {
    for (;;) {
      const id = this.#deps.newId()
      if (this.#rows.get(id) === undefined) return id
    }
  }

  #put(grant: Grant): void {
    this.#deps.store.put(grant)
    this.#rows.put(grant)
  }

  #drop(grants: readonly Grant[]): void {
    if (grants.length === 0) return
    this.#deps.store.remove(grants.map(({ id }) => id))
    for (const { id } of grants) this.#rows.delete(id)
  }
}
