/** Message history in a file of this user: bounded, with an expiry, and deleted with the account. */
import { BUDGETS } from '@sallyport/core/budgets'
import { existsSync } from 'node:fs'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { Renewable } from '@sallyport/core/storage/renewable'
import type { Conversation, HistoryMark, MessageHistory } from './history.ts'
import { mergedMessage } from './merged-message.ts'
import type { MessageTable } from './message-table.ts'

interface StoredHistoryDeps {
  readonly health: Pick<DataHealth, 'pathOf' | 'setAside' | 'notRead'>
  /** Name of the platform; histories of different platforms do not mix. */
  readonly platform: string
  readonly clock: Clock
  readonly log: Logger
}

/** A message with longer JSON is not stored, and its conversation is dropped. */
const MESSAGE_CHARACTERS = 32_768

/** Opens the file at its first use. A damaged one is set aside; when it cannot be used, reports this once and works without it. */
export function storedHistory({ health, platform, clock, log }: StoredHistoryDeps): MessageHistory {
  const file = health.pathOf('history.sqlite')
  let opening: Promise<Renewable<MessageTable> | undefined> | undefined
  let changes = 0
  let deletions = 0

  const open = async (): Promise<Renewable<MessageTable> | undefined> => {
    try {
      const [{ MessageTable }, { Renewable }] = await Promise.all([
        import('./message-table.ts'),
        import('@sallyport/core/storage/renewable'),
      ])
      const table = new Renewable({
        open: () => new MessageTable(file, platform, clock.now()),
        setAside: (reason) => health.setAside('history.sqlite', reason),
      })
      table.use(() => {})
      return table
    } catch (failure) {
      health.notRead('history.sqlite', failure)
      return undefined
    }
  }

  const withTable = async <T>(work: (table: MessageTable) => T): Promise<T | undefined> => {
    opening ??= open()
    const table = await opening
    if (table === undefined) return undefined
    try {
      return table.use(work)
    } catch (failure) {
      log.warn('history-failed', { err: failure })
      return undefined
    }
  }

  const isCurrent = (mark: HistoryMark): boolean => mark.deletions === deletions
  const isTooLarge = (message: object): boolean => JSON.stringify(message).length > MESSAGE_CHARACTERS

  return {
    mark: () => ({ at: clock.now(), changes, deletions }),
    async load(conversation, limit) {
      return withTable((table) => {
        const now = clock.now()
        const fetched = table.fetchRecord(conversation)
        if (fetched === undefined || now - fetched.readAt >= BUDGETS.userMessagesCacheMs.value || now < fetched.readAt) return undefined
        const messages = table.messages(conversation, limit, now)
        return fetched.isWhole || messages.length >= limit ? messages : undefined
      })
    },
    async store(conversation, mark, limit, messages) {
      if (messages.some(isTooLarge)) return dropConversation(conversation)
      await withTable((table) => {
        if (!isCurrent(mark) || mark.changes !== changes) return
        table.replace(conversation, { readAt: mark.at, isWhole: messages.length < limit }, messages, clock.now())
      })
    },
    async add(conversation, mark, message) {
      changes += 1
      if (isTooLarge(message)) return dropConversation(conversation)
      await withTable((table) => {
        if (isCurrent(mark)) table.put(conversation, message)
      })
    },
    async remove(conversation, messageId) {
      changes += 1
      await withTable((table) => table.remove(conversation, messageId))
    },
    async onMessage(conversation, update) {
      changes += 1
      await withTable((table) => {
        if (table.fetchRecord(conversation) === undefined) return
        const merged = mergedMessage(table.message(conversation, update.id), update)
        if (merged === undefined || isTooLarge(merged)) table.removeConversation(conversation)
        else table.put(conversation, merged)
      })
    },
    async onMessageDeleted(applicationId, messageId) {
      changes += 1
      await withTable((table) => table.removeEverywhere(applicationId, messageId))
    },
    async invalidate(conversation) {
      changes += 1
      await dropConversation(conversation)
    },
    async deleteAccount(account) {
      deletions += 1
      if (opening !== undefined || existsSync(file)) await withTable((table) => table.removeAccount(account))
    },
    async close() {
      const table = await opening
      opening = Promise.resolve(undefined)
      table?.close()
    },
  }

  async function dropConversation(conversation: Conversation): Promise<void> {
    await withTable((table) => table.removeConversation(conversation))
  }
}
