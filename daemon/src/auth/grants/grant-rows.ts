/** Grants in memory, found without a walk over all of them: by id, by application and by the path of the program. */
import type { Program } from '../../identity/program.ts'
import type { Grant } from './grant.ts'
import { hasEnded } from './terms.ts'

type Rows = ReadonlyMap<string, Grant>

const NO_ROWS: Rows = new Map()

/** Rows with the same value of one field. */
class Index {
  readonly #valueOf: (grant: Grant) => string | undefined
  readonly #rows = new Map<string | undefined, Map<string, Grant>>()

  constructor(valueOf: (grant: Grant) => string | undefined) {
    this.#valueOf = valueOf
  }

  with(value: string | undefined): Rows {
    return this.#rows.get(value) ?? NO_ROWS
  }

  add(grant: Grant): void {
    const value = this.#valueOf(grant)
    this.#rows.set(value, (this.#rows.get(value) ?? new Map<string, Grant>()).set(grant.id, grant))
  }

  delete(grant: Grant): void {
    const value = this.#valueOf(grant)
    const rows = this.#rows.get(value)
    rows?.delete(grant.id)
    if (rows?.size === 0) this.#rows.delete(value)
  }
}

/** What the user chose for a few grants only, so that each call can look it up. */
const MARKS = {
  blocked: ({ basis }: Grant) => basis === 'blocked',
  hidden: ({ presence }: Grant) => presence !== 'shown',
  placed: ({ places }: Grant) => places !== undefined,
  temporary: ({ lasts, presence }: Grant) => lasts === 'session' || presence === 'hidden-now',
}

type Mark = keyof typeof MARKS
const ALL_MARKS = Object.keys(MARKS) as readonly Mark[]

export class GrantRows {
  readonly #byId = new Map<string, Grant>()
  readonly #byApplication = new Index(({ applicationId }) => applicationId)
  readonly #byPath = new Index(({ program }) => program.executable)
  readonly #marked: Readonly<Record<Mark, Map<string, Grant>>> = {
    blocked: new Map(),
    hidden: new Map(),
    placed: new Map(),
    temporary: new Map(),
  }
  /** By application: the latest grant with its name, for as long as no grant of it changes. Only of applications with grants. */
  readonly #latestNamed = new Map<string, Grant | undefined>()

  get(id: string): Grant | undefined {
    return this.#byId.get(id)
  }

  values(): Iterable<Grant> {
    return this.#byId.values()
  }

  marked(mark: Mark): Iterable<Grant> {
    return this.#marked[mark].values()
  }

  /** Grants of programs at the same path. */
  at({ executable }: Program): Iterable<Grant> {
    return this.#byPath.with(executable).values()
  }

  of(applicationId: string): Iterable<Grant> {
    return this.#byApplication.with(applicationId).values()
  }

  /** The live grant with a name of this application that was given last. */
  latestNamed(applicationId: string, now: number): Grant | undefined {
    const rows = this.#byApplication.with(applicationId)
    if (rows.size === 0) return undefined
    const known = this.#latestNamed.get(applicationId)
    if (known !== undefined && !hasEnded(known, now)) return known
    // A grant does not begin again without a change, so none stays none.
    if (known === undefined && this.#latestNamed.has(applicationId)) return undefined
    const latest = [...rows.values()]
      .filter((grant) => grant.applicationName !== undefined && !hasEnded(grant, now))
      .reduce<Grant | undefined>((best, grant) => (best === undefined || grant.grantedAt > best.grantedAt ? grant : best), undefined)
    this.#latestNamed.set(applicationId, latest)
    return latest
  }

  put(grant: Grant): void {
    this.delete(grant.id)
    this.#byId.set(grant.id, grant)
    this.#byApplication.add(grant)
    this.#byPath.add(grant)
    for (const mark of ALL_MARKS) if (MARKS[mark](grant)) this.#marked[mark].set(grant.id, grant)
    this.#latestNamed.delete(grant.applicationId)
  }

  delete(id: string): void {
    const grant = this.#byId.get(id)
    if (grant === undefined) return
    this.#byId.delete(id)
    this.#byApplication.delete(grant)
    this.#byPath.delete(grant)
    for (const mark of ALL_MARKS) this.#marked[mark].delete(id)
    this.#latestNamed.delete(grant.applicationId)
  }
}
