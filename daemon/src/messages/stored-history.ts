/** The history in a file of this user: bounded, fresh enough or not given, gone when the account is. */
import { existsSync } from 'node:fs'
import { LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Conversation, HistoryMark, MessageHistory } from './history.ts'
import { mergedMessage } from './merged-message.ts'
import type { MessageTable } from './message-table.ts'

export interface StoredHistoryParts {
  readonly file: string
  /** Name of the platform; histories of different platforms do not mix. */
  readonly platform: string
  readonly clock: Clock
  readonly log: Logger
}

/** A message whose JSON is longer is not kept, and neither is its conversation. */
const MESSAGE_CHARACTERS = 32_768

/** The file is opened when something is first kept or looked for; one that cannot be used is told once in the log, and done without. */
export function storedHistory({ file, platform, clock, log }: StoredHistoryParts): MessageHistory {
  let opening: Promise<MessageTable | undefined> | undefined
  let changes = 0
  let endings = 0

  const open = async (): Promise<MessageTable | undefined> => {
    try {
      const { MessageTable } = await import('./message-table.ts')
      return new MessageTable(file, platform, clock.now())
    } catch (failure) {
      log.warn('history-not-kept', { err: failure })
      return undefined
    }
  }

  const withTable = async <T>(work: (table: MessageTable) => T): Promise<T | undefined> => {
    opening ??= open()
    const table = await opening
    if (table === undefined) return undefined
    try {
      return work(table)
    } catch (failure) {
      log.warn('history-failed', { err: failure })
      return undefined
    }
  }

  const isCurrent = (mark: HistoryMark): boolean => mark.endings === endings
  const isTooLarge = (message: object): boolean => JSON.stringify(message).length > MESSAGE_CHARACTERS

  return {
    mark: () => ({ at: clock.now(), changes, endings }),
    async recall(conversation, limit) {
      return withTable((table) => {
        const now = clock.now()
        const reading = table.reading(conversation)
        if (reading === undefined || now - reading.readAt >= LIMITS.userMessagesFreshMs.value || now < reading.readAt) return undefined
        const messages = table.messages(conversation, limit, now)
        return reading.isWhole || messages.length >= limit ? messages : undefined
      })
    },
    async learn(conversation, mark, limit, messages) {
      if (messages.some(isTooLarge)) return forgetConversation(conversation)
      await withTable((table) => {
        if (!isCurrent(mark) || mark.changes !== changes) return
        table.replace(conversation, { readAt: mark.at, isWhole: messages.length < limit }, messages, clock.now())
      })
    },
    async note(conversation, mark, message) {
      changes += 1
      if (isTooLarge(message)) return forgetConversation(conversation)
      await withTable((table) => {
        if (isCurrent(mark)) table.put(conversation, message)
      })
    },
    async drop(conversation, messageId) {
      changes += 1
      await withTable((table) => table.remove(conversation, messageId))
    },
    async told(conversation, part) {
      changes += 1
      await withTable((table) => {
        if (table.reading(conversation) === undefined) return
        const merged = mergedMessage(table.message(conversation, part.id), part)
        if (merged === undefined || isTooLarge(merged)) table.removeConversation(conversation)
        else table.put(conversation, merged)
      })
    },
    async takenBack(applicationId, messageId) {
      changes += 1
      await withTable((table) => table.removeEverywhere(applicationId, messageId))
    },
    async doubt(conversation) {
      changes += 1
      await forgetConversation(conversation)
    },
    async forget(applicationId, userId) {
      endings += 1
      if (opening !== undefined || existsSync(file)) await withTable((table) => table.removeUser(applicationId, userId))
    },
    async close() {
      const table = await opening
      opening = Promise.resolve(undefined)
      table?.close()
    },
  }

  async function forgetConversation(conversation: Conversation): Promise<void> {
    await withTable((table) => table.removeConversation(conversation))
  }
}
