/** The grants of one platform, in memory as they are on the disk: reading asks no database, and a write is stored before it shows. */
import type { Clock } from '../core/clock.ts'
import { compareFiles, isSamePlace, isSameProgram, type Program } from '../identity/program.ts'
import type { Grant, GrantStore } from './grant.ts'
import { isDueForNote, isIdle, newScopes } from './rules.ts'

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
    return [...this.#rows.values()].filter((grant) => !isIdle(grant, now)).toSorted((a, b) => b.grantedAt - a.grantedAt)
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

  /** The user allowed a program these scopes, besides what it was allowed before. */
  allow(place: GrantPlace, scopes: readonly string[], names: Names): Grant {
    const before = this.#earlier(place)
    const held = before?.basis === 'allowed' ? before.scopes : []
    return this.#write(place, { ...names, basis: 'allowed', scopes: [...held, ...newScopes(scopes, held)] })
  }

  /** A program brought a token of its own. What the user allowed it is neither widened nor narrowed by that. */
  broughtToken(place: GrantPlace, scopes: readonly string[], names: Names): void {
    const before = this.#earlier(place)
    const isKnown = before !== undefined && (before.basis === 'allowed' || before.scopes.join(' ') === scopes.join(' '))
    if (isKnown) this.used(place, names)
    else this.#write(place, { ...names, basis: 'token', scopes })
  }

  /** A program used its grant. Written at most once a day, or when a name became known. */
  used(place: GrantPlace, names: Names): void {
    const grant = this.at(place)
    // A session of an earlier file says nothing of the one that lies there now.
    if (grant === undefined || !isSameProgram(grant.program, place.program)) return
    const now = this.#parts.clock.now()
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

  /** Takes away those that nobody used for too long, and gives them back. */
  sweep(): readonly Grant[] {
    const now = this.#parts.clock.now()
    const ended = [...this.#rows.values()].filter((grant) => isIdle(grant, now))
    this.#drop(ended)
    return ended
  }

  /** The live grant of this very file, if there is one. */
  #earlier(place: GrantPlace): Grant | undefined {
    const grant = this.at(place)
    const isOurs = grant !== undefined && isSameProgram(grant.program, place.program) && !isIdle(grant, this.#parts.clock.now())
    return isOurs ? grant : undefined
  }

  #write(place: GrantPlace, given: Pick<Grant, 'basis' | 'scopes'> & Names): Grant {
    const { clock, platform } = this.#parts
    const before = this.at(place)
    const now = clock.now()
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
      grantedAt: now,
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
