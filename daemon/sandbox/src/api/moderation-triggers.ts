/** Whether a text triggers an auto-moderation rule. */
import { AUTO_MODERATION_TRIGGERS } from '@sallyport/protocol'
import { PRESET_WORDS } from '../constants.ts'
import type { StoredModerationRule } from '../store/admin-records.ts'
import type { Patterns } from './patterns.ts'

interface Metadata {
  readonly allow_list?: readonly string[]
  readonly presets?: readonly (keyof typeof PRESET_WORDS)[]
  readonly mention_total_limit?: number
}

export function isTriggered(patterns: Patterns, rule: StoredModerationRule, text: string): boolean {
  const { allow_list: allowed = [], presets = [], mention_total_limit: most } = (rule.body['trigger_metadata'] ?? {}) as Metadata
  switch (rule.triggerType) {
    case AUTO_MODERATION_TRIGGERS.KEYWORD.type:
    case AUTO_MODERATION_TRIGGERS.MEMBER_PROFILE.type:
      return holdsKeyword(text, rule.keywords, allowed) || patterns.match(rule, withoutAllowed(text, allowed))
    case AUTO_MODERATION_TRIGGERS.KEYWORD_PRESET.type:
      return holdsKeyword(
        text,
        presets.map((preset) => PRESET_WORDS[preset]),
        allowed,
      )
    case AUTO_MODERATION_TRIGGERS.MENTION_SPAM.type:
      return most !== undefined && mentionsIn(text) > most
    // The platform does not publish what looks like spam.
    default:
      return false
  }
}

/** Different users and roles that the text mentions. */
const mentionsIn = (text: string): number =>
  new Set([...text.matchAll(/<@(!|&)?([0-9]+)>/g)].map(([, kind, id]) => `${kind === '&' ? 'role' : 'user'} ${id}`)).size

/** Matches whole words; an asterisk allows more letters on its side. Allowed words are removed first. */
export function holdsKeyword(content: string, keywords: readonly string[], allowed: readonly string[]): boolean {
  const text = withoutAllowed(content, allowed)
  return keywords.some((word) => patternOf(word).test(text))
}

const withoutAllowed = (text: string, allowed: readonly string[]): string =>
  allowed.reduce((rest, word) => rest.replace(patternOf(word), ' '), text)

const LETTER = '[\\p{L}\\p{N}_]'

function patternOf(keyword: string): RegExp {
  const isOpenBefore = keyword.startsWith('*')
  const isOpenAfter = keyword.length > 1 && keyword.endsWith('*')
  const word = keyword.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`${isOpenBefore ? '' : `(?<!${LETTER})`}${word}${isOpenAfter ? '' : `(?!${LETTER})`}`, 'giu')
}
