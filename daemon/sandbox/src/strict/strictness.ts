/**
 * The one place that decides what a broken rule does. The strict sandbox refuses, as the platform does. The relaxed one lets the call pass, and
 * remembers what would have been refused.
 */
import { Signal } from '@sallyport/core/signal'
import { FINDING_DETAILS_MAX, FINDINGS_MAX } from '../constants.ts'
import { type RefusingRule, STRICT_RULES, type StrictRuleName } from './rules.ts'

export type SandboxMode = 'strict' | 'relaxed'

/** A broken rule of one application. */
interface Finding {
  readonly applicationId: string
  readonly rule: StrictRuleName
  /** How often. */
  readonly count: number
  /** What exactly, the first ones. */
  readonly details: readonly string[]
}

/** A finding in words. */
export interface FindingReport {
  readonly applicationId: string
  readonly rule: StrictRuleName
  readonly count: number
  /** What the game did, and what the platform would have answered. */
  readonly message: string
  readonly remedy: string
}

export class Strictness {
  readonly isStrict: boolean
  /** A rule was broken for the first time, or the findings were forgotten. */
  readonly changed = new Signal()
  readonly #findings = new Map<string, Finding>()

  constructor(mode: SandboxMode) {
    this.isStrict = mode === 'strict'
  }

  /** Whether a broken rule has its effect. If not, it is remembered. `detail`: what exactly broke it; never a secret. */
  holds(rule: StrictRuleName, applicationId: string, detail: string): boolean {
    if (!this.isStrict) this.#remember(rule, applicationId, detail)
    return this.isStrict
  }

  /** Throws the platform's error for a broken rule, if the rule has its effect. */
  refuse(rule: RefusingRule, applicationId: string, detail: string): void {
    if (this.holds(rule, applicationId, detail)) throw STRICT_RULES[rule].error(detail)
  }

  /** What the platform would have refused, in the order of the first time. */
  findings(): readonly FindingReport[] {
    return [...this.#findings.values()].map(reportOf)
  }

  forget(): void {
    this.#findings.clear()
    this.changed.emit()
  }

  #remember(rule: StrictRuleName, applicationId: string, detail: string): void {
    const key = `${applicationId} ${rule}`
    const known = this.#findings.get(key)
    if (known === undefined && this.#findings.size >= FINDINGS_MAX) return
    const { count, details }: Pick<Finding, 'count' | 'details'> = known ?? { count: 0, details: [] }
    const isNew = details.length < FINDING_DETAILS_MAX && !details.includes(detail)
    this.#findings.set(key, { applicationId, rule, count: count + 1, details: isNew ? [...details, detail] : details })
    if (isNew) this.changed.emit()
  }
}

function reportOf({ applicationId, rule, count, details }: Finding): FindingReport {
  const { did, answer, remedy } = STRICT_RULES[rule]
  const times = count === 1 ? 'once' : `${count} times`
  return { applicationId, rule, count, message: `${did}: ${details.join(', ')} (${times}). The platform answers ${answer}.`, remedy }
}
