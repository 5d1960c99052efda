/** Tables of messages and of the fetches of conversations, in one file. Synchronous, because each step is one short transaction. */
import type { AccountKey } from '@sallyport/core/account-key'
import { BUDGETS } from '@sallyport/core/budgets'
import type { DatabaseSync } from 'node:sqlite'
import { historyStart, LIMITS, snowflakeTime, type UserMessage } from '@sallyport/protocol'
import { inTransaction, openDatabase } from '@sallyport/core/storage/sqlite'
import type { Conversation } from './history.ts'

export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE conversation (
     platform TEXT NOT NULL, application TEXT NOT NULL, user TEXT NOT NULL, peer TEXT NOT NULL,
     read_at INTEGER NOT NULL, is_whole INTEGER NOT NULL,
     PRIMARY KEY (platform, application, user, peer)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE message (
     platform TEXT NOT NULL, application TEXT NOT NULL, user TEXT NOT NULL, peer TEXT NOT NULL,
     id TEXT NOT NULL, made_at INTEGER NOT NULL, body TEXT NOT NULL,
     PRIMARY KEY (platform, application, user, peer, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX message_by_age ON message (made_at);`,
]

const PEER = 'platform = ? AND application = ? AND user = ? AND peer = ?'

/** Digits of the greatest id. Padded ids sort as numbers. */
const ID_DIGITS = 20

export interface FetchRecord {
  /** Milliseconds since the epoch. */
  readonly readAt: number
  /** The platform returned all its messages. */
  readonly isWhole: boolean
}

export class MessageTable {
  readonly #database: DatabaseSync
  readonly #platform: string

  /** Throws SERVICE_UNAVAILABLE when the file cannot be used. `now` in ms since the epoch. */
  constructor(file: string, platform: string, now: number) {
    this.#database = openDatabase({ file, component: 'The history of direct messages', migrations: MIGRATIONS, durability: 'process' })
    this.#platform = platform
    // Deleted content is overwritten, because it is private.
    this.#database.exec('PRAGMA secure_delete = ON')
    this.#expire(now)
  }

  fetchRecord(conversation: Conversation): FetchRecord | undefined {
    const row = this.#database.prepare(`SELECT read_at, is_whole FROM conversation WHERE ${PEER}`).get(...this.#key(conversation)) as
      | { readonly read_at: number; readonly is_whole: number }
      | undefined
    return row === undefined ? undefined : { readAt: row.read_at, isWhole: row.is_whole === 1 }
  }

  /** The newest first, none older than the platform's own history. */
  messages(conversation: Conversation, limit: number, now: number): UserMessage[] {
    const rows = this.#database
      .prepare(`SELECT body FROM message WHERE ${PEER} AND made_at >= ? ORDER BY id DESC LIMIT ?`)
      .all(...this.#key(conversation), historyStart(now, LIMITS.userMessageAge.value), limit) as { readonly body: string }[]
    return rows.map(({ body }) => JSON.parse(body) as UserMessage)
  }

  /** Replaces a conversation with the messages of a fetch. */
  replace(conversation: Conversation, fetchRecord: FetchRecord, messages: readonly UserMessage[], now: number): void {
    inTransaction(this.#database, () => {
      this.#removeConversation(conversation)
      this.#database
        .prepare('INSERT INTO conversation VALUES (?, ?, ?, ?, ?, ?)')
        .run(...this.#key(conversation), fetchRecord.readAt, fetchRecord.isWhole ? 1 : 0)
      for (const message of messages) this.#put(conversation, message)
      this.#expire(now)
      this.#trim()
    })
  }

  /** Stores a new or edited message. Only for a known conversation, because a single message would look like a history. */
  put(conversation: Conversation, message: UserMessage): void {
    if (this.fetchRecord(conversation) === undefined) return
    inTransaction(this.#database, () => {
      this.#put(conversation, message)
      this.#trim()
    })
  }

  /** One stored message, if any. */
  message(conversation: Conversation, id: string): UserMessage | undefined {
    const row = this.#database.prepare(`SELECT body FROM message WHERE ${PEER} AND id = ?`).get(...this.#key(conversation), padded(id)) as
      | { readonly body: string }
      | undefined
    return row === undefined ? undefined : (JSON.parse(row.body) as UserMessage)
  }

  /** From every conversation of the application. */
  removeEverywhere(applicationId: string, messageId: string): void {
    this.#database
      .prepare('DELETE FROM message WHERE platform = ? AND application = ? AND id = ?')
      .run(this.#platform, applicationId, padded(messageId))
  }

  remove(conversation: Conversation, messageId: string): void {
    this.#database.prepare(`DELETE FROM message WHERE ${PEER} AND id = ?`).run(...this.#key(conversation), padded(messageId))
  }

  /** Removes a conversation, so that the next request goes to the platform. */
  removeConversation(conversation: Conversation): void {
    inTransaction(this.#database, () => this.#removeConversation(conversation))
  }

  removeAccount({ applicationId, userId }: AccountKey): void {
    inTransaction(this.#database, () => {
      for (const table of ['message', 'conversation']) {
        const where = 'platform = ? AND application = ? AND user = ?'
        this.#database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(this.#platform, applicationId, userId)
      }
    })
    // The journal may contain copies.
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  close(): void {
    this.#database.close()
  }

  #key({ applicationId, userId, peerId }: Conversation): [string, string, string, string] {
    return [this.#platform, applicationId, userId, peerId]
  }

  #put(conversation: Conversation, message: UserMessage): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(...this.#key(conversation), padded(message.id), snowflakeTime(message.id), JSON.stringify(message))
  }

  #removeConversation(conversation: Conversation): void {
    for (const table of ['message', 'conversation'])
      this.#database.prepare(`DELETE FROM ${table} WHERE ${PEER}`).run(...this.#key(conversation))
  }

  /** Deletes messages that are too old for a history. */
  #expire(now: number): void {
    this.#database.prepare('DELETE FROM message WHERE made_at < ?').run(historyStart(now, LIMITS.userMessageAge.value))
  }

  /** Above the limit, deletes whole conversations with the oldest fetch, because a part of one would look complete. */
  #trim(): void {
    for (;;) {
      const { count } = this.#database.prepare('SELECT count(*) AS count FROM message').get() as { readonly count: number }
      if (count <= BUDGETS.userMessagesStored.value) return
      const [oldest] = this.#database
        .prepare('SELECT platform, application, user, peer FROM conversation ORDER BY read_at LIMIT 1')
        .all() as Readonly<Record<'platform' | 'application' | 'user' | 'peer', string>>[]
      if (oldest === undefined) return
      const { platform, application, user, peer } = oldest
      for (const table of ['message', 'conversation'])
        this.#database.prepare(`DELETE FROM ${table} WHERE ${PEER}`).run(platform, application, user, peer)
    }
  }
}

const padded = (id: string): string => id.padStart(ID_DIGITS, '0')
