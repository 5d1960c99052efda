/** What play leaves in the data folder of a daemon. Written by the modules of the checkout that is measured, so that it has their form. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Secret } from '@sallyport/core/secret'
import type { UserMessage } from '@sallyport/protocol'
import type * as GrantStores from '#daemon/src/auth/grants/store.ts'
import type * as VaultKeys from '#daemon/src/auth/vault-key.ts'
import type * as Vaults from '#daemon/src/auth/vault/encrypted-file.ts'
import type * as MessageTables from '#daemon/src/events/messages/message-table.ts'
import { ROOT } from './contestants/contestants.ts'
import { APPLICATION } from './frames.ts'

/** The name of the profile of the bench. */
const PLATFORM = 'bench'
const USER = '200000000000000001'
const OTHER_APPLICATION = 1_000_000_000_000_000_000n
const DAY_MS = 86_400_000
const SCOPES = ['identify', 'relationships.read']
/** One grant in so many is of the application of the bench. */
const OWN = 10

/** A year of a player: games with a sign-in each, programs that were updated, and as many messages as the daemon keeps. */
const YEAR = { games: 60, grants: 300, conversations: 200, messages: 50, logBytes: 1_000_000 } as const

const moduleAt = (path: string): string => join(ROOT, 'daemon/src', path)
const load = {
  grants: async () => (await import(moduleAt('auth/grants/store.ts'))) as typeof GrantStores,
  vault: async () => (await import(moduleAt('auth/vault/encrypted-file.ts'))) as typeof Vaults,
  keys: async () => (await import(moduleAt('auth/vault-key.ts'))) as typeof VaultKeys,
  messages: async () => (await import(moduleAt('events/messages/message-table.ts'))) as typeof MessageTables,
} as const

const applicationAt = (index: number): string => (index % OWN === 0 ? APPLICATION : String(OTHER_APPLICATION + BigInt(index + 1)))

/** So many grants, in one transaction: the store itself waits for the disk after each. */
export async function writeGrants(dataDir: string, count: number): Promise<void> {
  if (count === 0) return
  const file = join(dataDir, 'grants.sqlite')
  const { openGrantStore } = await load.grants()
  const store = openGrantStore(file)
  const grantedAt = Date.now() - DAY_MS
  store.put({
    id: 'grant0',
    platform: PLATFORM,
    applicationId: applicationAt(0),
    applicationName: 'Harbour watch',
    userId: USER,
    username: 'player',
    program: { kind: 'native', uid: process.getuid?.(), executable: '/opt/games/0/game', file: '1:0:1:1:1' },
    basis: 'allowed',
    scopes: SCOPES,
    deniedScopes: [],
    presence: 'shown',
    lasts: 'kept',
    grantedAt,
    lastUsedAt: grantedAt,
  })
  await store.close()
  const database = new DatabaseSync(file)
  const first = database.prepare('SELECT * FROM grants').get()!
  const columns = Object.keys(first)
  const add = database.prepare(`INSERT INTO grants (${columns.join()}) VALUES (${columns.map((name) => `:${name}`).join()})`)
  database.exec('BEGIN')
  for (let index = 1; index < count; index++)
    add.run({
      ...first,
      id: `grant${index}`,
      application_id: applicationAt(index),
      executable: `/opt/games/${index}/game`,
      file: `1:${index}:1:1:1`,
    })
  database.exec('COMMIT')
  database.close()
}

const noKeychain = (): Promise<never> => Promise.reject(new Error('the bench has no keychain'))

/** Tokens of so many applications; the first is that of the bench. */
export async function writeTokens(dataDir: string, count: number): Promise<void> {
  const [{ openVault }, { vaultKeyOf }] = [await load.vault(), await load.keys()]
  const keychain = { read: noKeychain, write: noKeychain, remove: noKeychain }
  const { tokens } = await openVault({ dataDirectory: dataDir, store: 'file', keychain })
  for (let index = 0; index < count; index++) {
    const applicationId = index === 0 ? APPLICATION : String(OTHER_APPLICATION + BigInt(index))
    const uid = process.getuid?.()
    await tokens.put(vaultKeyOf(PLATFORM, { applicationId, uid, userId: USER }), {
      applicationId,
      userId: USER,
      accessToken: new Secret(`access-token-of-the-bench-${index}`),
      refreshToken: new Secret(`refresh-token-of-the-bench-${index}`),
      scopes: SCOPES,
      expiresAt: Date.now() + 7 * DAY_MS,
    })
  }
}

const EPOCH_MS = 1_420_070_400_000n
const TIME_BITS = 22n
/** An id that the platform would have made `agoMs` before now. */
const idAt = (agoMs: number, index: number): string => String(((BigInt(Date.now() - agoMs) - EPOCH_MS) << TIME_BITS) + BigInt(index))

async function writeMessages(dataDir: string, conversations: number, messages: number): Promise<void> {
  const { MessageTable } = await load.messages()
  const now = Date.now()
  const table = new MessageTable(join(dataDir, 'history.sqlite'), PLATFORM, now)
  for (let index = 0; index < conversations; index++) {
    const peerId = String(BigInt(USER) + BigInt(index + 1))
    const history = Array.from(
      { length: messages },
      (_, at): UserMessage => ({
        id: idAt(DAY_MS, index * messages + at),
        channel_id: String(BigInt(USER) + BigInt(conversations + index)),
        author: { id: peerId, username: `mate.${index}`, discriminator: '0', avatar: null },
        content: 'We unload the Copper Wren at the north quay at nine.',
        timestamp: new Date(now - DAY_MS).toISOString(),
        edited_timestamp: null,
      }),
    )
    table.replace({ applicationId: applicationAt(index), userId: USER, peerId }, { readAt: now - DAY_MS, isWhole: true }, history, now)
  }
  table.close()
}

/** Both files of the log, nearly as large as they get. */
function writeLogs(dataDir: string, bytes: number): void {
  const folder = join(dataDir, 'log')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const line = `${JSON.stringify({ level: 'info', time: '2026-01-01T00:00:00.000Z', event: 'connected', session: 1, applicationId: APPLICATION })}\n`
  const text = line.repeat(Math.floor(bytes / line.length))
  for (const name of ['sallyport.log', 'sallyport.log.1']) {
    const fd = openSync(join(folder, name), 'wx', 0o600)
    writeSync(fd, text)
    closeSync(fd)
  }
}

export async function writeYear(dataDir: string): Promise<void> {
  await writeGrants(dataDir, YEAR.grants)
  await writeTokens(dataDir, YEAR.games)
  await writeMessages(dataDir, YEAR.conversations, YEAR.messages)
  writeLogs(dataDir, YEAR.logBytes)
}

const total = (YEAR.conversations * YEAR.messages).toLocaleString('en')
export const YEAR_NOTE = `${YEAR.grants} grants, tokens of ${YEAR.games} games, ${total} messages, two log files of 1 MB`
