/** The grants of one platform, in memory as they are on the disk: reading asks no database, and a write is stored before it shows. */
import type { Clock } from '@sallyport/core/clock'
import { compareFiles, isKnown, isSamePlace, isSameProgram, type Program } from '../../identity/program.ts'
import type { Grant, GrantStore } from './grant.ts'
import { hasEnded, isDueForNote, isForgotten, isOfCommandLine, newScopes } from './rules.ts'

export interface GrantsParts {
  readonly platform: string
  readonly store: GrantStore
  readonly clock: Clock
  /** Short text, different each time. */
  readonly newId: () => string
}

/** Names, as far as they are known, for people to read. */
export interface Names {
  readonly applicationName?: string | undefined
  readonly username?: string | undefined
}

/** What a grant is found by. */
export interface GrantPlace {
  readonly program: Program
  readonly applicationId: string
  readonly userId: string
}

export class Grants {
  readonly #parts: GrantsParts
  readonly #rows = new Map<string, Grant>()

  constructor(parts: GrantsParts) {
    this.#parts = parts
    for (const grant of parts.store.load(parts.platform)) this.#rows.set(grant.id, grant)
  }

  /** Those that have not ended, newest first. */
  live(): readonly Grant[] {
    const now = this.#parts.clock.now()
    return [...this.#rows.values()].filter((grant) => !hasEnded(grant, now)).toSorted((a, b) => b.grantedAt - a.grantedAt)
  }

  /** The grant of whatever program lies at this place, ended ones and those of an earlier file included. */
  at({ program, applicationId, userId }: GrantPlace): Grant | undefined {
    return this.atPlace(program, applicationId).find((grant) => grant.userId === userId)
  }

  /** All that lies at the place of a program for an application: ended ones and those of an earlier file included. */
  atPlace(program: Program, applicationId: string): readonly Grant[] {
    return [...this.#rows.values()].filter((grant) => grant.applicationId === applicationId && isSamePlace(grant.program, program))
  }

  /** What was granted to a program at this place whose file differs in ctime alone: only its content can tell whether it is the same. */
  touchedAt(program: Program, applicationId: string): readonly Grant[] {
    return this.atPlace(program, applicationId).filter((grant) => compareFiles(grant.program, program) === 'touched')
  }

  /** The content of a touched file was found to be the same: the grant is of the file as it is now. */
  settle(grant: Grant, program: Program): void {
    this.#put({ ...grant, program })
  }

  /** What the user allowed this very program, newest first. */
  allowed(program: Program, applicationId: string): readonly Grant[] {
    return this.live().filter(
      (grant) => grant.basis === 'allowed' && grant.applicationId === applicationId && isSameProgram(grant.program, program),
    )
  }

  /** Live grants of an account, of whatever program. */
  ofAccount(applicationId: string, userId: string): readonly Grant[] {
    return this.live().filter((grant) => grant.applicationId === applicationId && grant.userId === userId)
  }

  /** Whether anything shows that somebody used the account lately: grants of the command line that have ended do. */
  isInUse(applicationId: string, userId: string): boolean {
    const now = this.#parts.clock.now()
    return [...this.#rows.values()].some(
      (grant) => grant.applicationId === applicationId && grant.userId === userId && !isForgotten(grant, now),
    )
  }

  /** Whether this very program has a live grant, of whatever basis: of this application, or of any when none is named. */
  has(program: Program, applicationId?: string): boolean {
    const isMeant = (grant: Grant) => applicationId === undefined || grant.applicationId === applicationId
    return this.live().some((grant) => isMeant(grant) && isSameProgram(grant.program, program))
  }

  /** As the platform named it when somebody signed in. */
  applicationName(applicationId: string): string | undefined {
    return this.live().find((grant) => grant.applicationId === applicationId && grant.applicationName !== undefined)?.applicationName
  }

  /** The user allowed a program these scopes, besides what it was allowed before. Of a program that cannot be known again nothing is written. */
  allow(place: GrantPlace, scopes: readonly string[], names: Names): Grant | undefined {
    if (!isKnown(place.program)) return undefined
    const before = this.#earlier(place)
    const held = before?.basis === 'allowed' ? before.scopes : []
    return this.#write(place, { ...names, basis: 'allowed', scopes: [...held, ...newScopes(scopes, held)] })
  }

  /** A program brought a token of its own. What the user allowed it is neither widened nor narrowed by that. */
  broughtToken(place: GrantPlace, scopes: readonly string[], names: Names): void {
    if (!isKnown(place.program)) return
    const before = this.#earlier(place)
    const isListed = before !== undefined && (before.basis === 'allowed' || before.scopes.join(' ') === scopes.join(' '))
    if (isListed) this.used(place, names)
    else this.#write(place, { ...names, basis: 'token', scopes })
  }

  /** A program used its grant. Written at most once a day (of the command line, once a second), or when a name became known. */
  used(place: GrantPlace, names: Names): void {
    const grant = this.at(place)
    // A session of an earlier file says nothing of the one that lies there now.
    if (grant === undefined || !isSameProgram(grant.program, place.program)) return
    const now = this.#parts.clock.now()
    // A connection that stays open must not bring one back.
    if (isOfCommandLine(grant.program) && hasEnded(grant, now)) return
    const { applicationName = grant.applicationName, username = grant.username } = names
    const isSame = applicationName === grant.applicationName && username === grant.username
    if (isSame && !isDueForNote(grant, now)) return
    this.#put({ ...grant, applicationName, username, lastUsedAt: now })
  }

  /** Takes one away. Undefined when there is none. */
  remove(id: string): Grant | undefined {
    const grant = this.#rows.get(id)
    if (grant !== undefined) this.#drop([grant])
    return grant
  }

  /** The user's authorization for an application is over, whoever used it. */
  endAccount(applicationId: string, userId: string): void {
    this.#drop([...this.#rows.values()].filter((grant) => grant.applicationId === applicationId && grant.userId === userId))
  }

  /**
   * Takes away those that have ended, and gives them back. Of an account that only ended ones of the command line are left of, the last stays
   * until it is forgotten: its tokens are kept, and another terminal may ask for them.
   */
  sweep(): readonly Grant[] {
    const now = this.#parts.clock.now()
    const ended = [...[...this.#rows.values()].filter((grant) => isForgotten(grant, now)), ...this.#endedSessions(now)]
    this.#drop(ended)
    return ended
  }

  /** Grants of the command line that have ended and are not the last sign of their account. */
  #endedSessions(now: number): readonly Grant[] {
    const recent = [...this.#rows.values()].filter((grant) => !isForgotten(grant, now)).toSorted((a, b) => b.lastUsedAt - a.lastUsedAt)
    const isNewest = ({ applicationId, userId, id }: Grant): boolean =>
      recent.find((other) => other.applicationId === applicationId && other.userId === userId)?.id === id
    return recent.filter((grant) => isOfCommandLine(grant.program) && hasEnded(grant, now) && !isNewest(grant))
  }

  /** The live grant of this very file, if there is one. */
  #earlier(place: GrantPlace): Grant | undefined {
    const grant = this.at(place)
    const isOurs = grant !== undefined && isSameProgram(grant.program, place.program) && !hasEnded(grant, this.#parts.clock.now())
    return isOurs ? grant : undefined
  }

  /**
   * The platform may answer without a page what the user allowed before, and a command line that signs in again and again would live for ever:
   * what is no wider than before counts from when it was allowed first.
   */
  #grantedAt(place: GrantPlace, { basis, scopes }: Pick<Grant, 'basis' | 'scopes'>, now: number): number {
    const earlier = this.#earlier(place)
    const isNothingNew = earlier !== undefined && earlier.basis === basis && newScopes(scopes, earlier.scopes).length === 0
    return isNothingNew && isOfCommandLine(place.program) ? earlier.grantedAt : now
  }

  #write(place: GrantPlace, given: Pick<Grant, 'basis' | 'scopes'> & Names): Grant {
    const { clock, platform } = this.#parts
    const before = this.at(place)
    const now = clock.now()
    // Each terminal has a row of its own.
    if (isOfCommandLine(place.program)) this.#drop(this.#endedSessions(now))
    const grant: Grant = {
      id: before?.id ?? this.#freeId(),
      platform,
      applicationId: place.applicationId,
      applicationName: given.applicationName ?? before?.applicationName,
      userId: place.userId,
      username: given.username ?? before?.username,
      program: place.program,
      basis: given.basis,
      scopes: given.scopes,
      grantedAt: this.#grantedAt(place, given, now),
      lastUsedAt: now,
    }
    this.#put(grant)
    return grant
  }

  #freeId(): string {
    for (;;) {
      const id = this.#parts.newId()
      if (!this.#rows.has(id)) return id
    }
  }

  #put(grant: Grant): void {
    this.#parts.store.put(grant)
    this.#rows.set(grant.id, grant)
  }

  #drop(grants: readonly Grant[]): void {
    if (grants.length === 0) return
    this.#parts.store.remove(grants.map(({ id }) => id))
    for (const { id } of grants) this.#rows.delete(id)
  }
}
