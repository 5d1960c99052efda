/** Auto-moderation: a word that the sandbox blocks everywhere, and the keyword rules of guilds. */
import { AUTO_MODERATION_ACTIONS, AUTO_MODERATION_TRIGGERS } from '@sallyport/protocol'
import { BLOCKED_WORD } from '../constants.ts'
import { PlatformError } from '../platform-error.ts'
import type { StoredModerationRule } from '../store/admin-records.ts'
import { auditWrites } from './audit-writes.ts'
import type { Operation } from './handlers.ts'

/** The place of a message. Without a guild there are no rules. */
export interface ModeratedPlace {
  readonly operation: Operation
  readonly guildId: string | null
  readonly channelId: string
}

/** Throws blockedByModeration. A block by a rule is written to the guild's audit log. */
export function checkModerated(content: string | null | undefined, place?: ModeratedPlace): void {
  if (content === null || content === undefined || content === '') return
  if (content.toLowerCase().includes(BLOCKED_WORD)) throw new PlatformError('blockedByModeration')
  const rule = place === undefined ? undefined : breach(content, place)
  if (place === undefined || rule === undefined) return
  const { operation, channelId } = place
  operation.platform.store.commit(
    auditWrites(operation, rule.guildId, {
      event: 'AUTO_MODERATION_BLOCK_MESSAGE',
      targetId: operation.caller.id,
      options: {
        auto_moderation_rule_name: String(rule.body['name']),
        auto_moderation_rule_trigger_type: String(rule.triggerType),
        channel_id: channelId,
      },
    }),
  )
  throw new PlatformError('blockedByModeration')
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? (value as readonly string[]) : [])

/** The first rule that blocks the content. */
function breach(content: string, { operation, guildId, channelId }: ModeratedPlace): StoredModerationRule | undefined {
  if (guildId === null) return undefined
  return operation.platform.store.moderationRules.group(guildId).find(({ triggerType, keywords, body }) => {
    const { actions, trigger_metadata: metadata } = body as {
      readonly actions: readonly { readonly type: number }[]
      readonly trigger_metadata?: Readonly<Record<string, unknown>> | null
    }
    return (
      triggerType === AUTO_MODERATION_TRIGGERS.KEYWORD.type &&
      body['enabled'] === true &&
      !list(body['exempt_channels']).includes(channelId) &&
      actions.some(({ type }) => type === AUTO_MODERATION_ACTIONS.BLOCK_MESSAGE.type) &&
      holdsKeyword(content, keywords, list(metadata?.['allow_list']))
    )
  })
}

/** Matches whole words; an asterisk allows more letters on its side. Allowed words are removed first. */
export function holdsKeyword(content: string, keywords: readonly string[], allowed: readonly string[]): boolean {
  const text = allowed.reduce((rest, word) => rest.replace(patternOf(word), ' '), content)
  return keywords.some((word) => patternOf(word).test(text))
}

const LETTER = '[\\p{L}\\p{N}_]'

function patternOf(keyword: string): RegExp {
  const isOpenBefore = keyword.startsWith('*')
  const isOpenAfter = keyword.length > 1 && keyword.endsWith('*')
  const word = keyword.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(`${isOpenBefore ? '' : `(?<!${LETTER})`}${word}${isOpenAfter ? '' : `(?!${LETTER})`}`, 'iu')
}
