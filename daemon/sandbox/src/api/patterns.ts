/** Regular expressions of auto-moderation rules. Their engine takes linear time, so no pattern of a caller can hold up the sandbox. */
import type { RE2JS } from 're2js'
import type { StoredModerationRule } from '../store/admin-records.ts'

type Ruled = Pick<StoredModerationRule, 'body'>

const patternsOf = ({ body }: Ruled): readonly string[] => {
  const { regex_patterns: patterns } = (body['trigger_metadata'] ?? {}) as { readonly regex_patterns?: readonly string[] }
  return patterns ?? []
}

export class Patterns {
  #engine: typeof RE2JS | undefined
  readonly #compiled = new WeakMap<Ruled, readonly RE2JS[]>()

  /** Loads the engine if a rule has patterns. Without them the sandbox starts without it. */
  async load(rules: readonly Ruled[]): Promise<void> {
    if (this.#engine !== undefined || rules.every((rule) => patternsOf(rule).length === 0)) return
    this.#engine = (await import('re2js')).RE2JS
  }

  /** Why the pattern cannot be used; undefined if it can. After `load`. */
  problem(pattern: string): string | undefined {
    try {
      this.#engine?.compile(pattern)
      return undefined
    } catch (failure) {
      return failure instanceof Error ? failure.message : String(failure)
    }
  }

  /** Whether a pattern of the rule matches a part of the text. */
  match(rule: Ruled, text: string): boolean {
    const patterns = this.#compiled.get(rule) ?? patternsOf(rule).flatMap((pattern) => this.#engine?.compile(pattern) ?? [])
    this.#compiled.set(rule, patterns)
    return patterns.some((pattern) => pattern.matcher(text).find())
  }
}
