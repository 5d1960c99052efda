import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isKnown, type Program } from '#daemon/src/identity/program.ts'
import type { Grant } from '#daemon/src/auth/grants/grant.ts'
import { MIGRATIONS, openGrantStore } from '#daemon/src/auth/grants/store.ts'
import { sampleGrant } from './sample.ts'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'grants-'))
  file = join(directory, 'grants.sqlite')
})
afterEach(() => rmSync(directory, { recursive: true }))

const FULL = sampleGrant('full')
const OF_TERMINAL = sampleGrant('terminal', { program: { ...FULL.program, session: 'tty:4304:271464' } })
const CHOSEN = sampleGrant('chosen', { deniedScopes: ['guilds', 'email'], presence: 'hidden-now', lasts: 'session' })
const BLOCKED = sampleGrant('blocked', { basis: 'blocked', scopes: [] })
const BARE = sampleGrant('bare', {
  applicationName: undefined,
  username: undefined,
  program: { kind: 'unknown', uid: undefined, executable: undefined, file: undefined },
  basis: 'token',
  scopes: [],
})

test('rows are loaded unchanged, by platform, from a file that only this user can read', async () => {
  const store = openGrantStore(file)
  for (const grant of [FULL, BARE, BLOCKED, CHOSEN, OF_TERMINAL, sampleGrant('other', { platform: 'other' })]) store.put(grant)
  store.put({ ...FULL, scopes: ['email'] })
  await store.close()
  const again = openGrantStore(file)
  expect(again.load('test').toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    BARE,
    BLOCKED,
    CHOSEN,
    { ...FULL, scopes: ['email'] },
    OF_TERMINAL,
  ])
  again.remove(['full', 'bare', 'blocked', 'chosen', 'terminal', 'unknown'])
  expect(again.load('test')).toEqual([])
  expect(again.load('other')).toHaveLength(1)
  await again.close()
  expect(statSync(file).mode & 0o077).toBe(0)
})

test('a file of every earlier schema is migrated', async () => {
  for (let form = 0; form < MIGRATIONS.length; form++) {
    rmSync(file, { force: true })
    const before = new DatabaseSync(file)
    before.exec([...MIGRATIONS.slice(0, form), `PRAGMA user_version = ${form}`].join(';'))
    before.close()
    chmodSync(file, 0o600)
    const store = openGrantStore(file)
    store.put(FULL)
    expect(store.load('test')).toEqual([FULL])
    await store.close()
  }
})

test('a file of a newer schema is refused, and stays as it is', async () => {
  const store = openGrantStore(file)
  store.put(FULL)
  await store.close()
  const newer = new DatabaseSync(file)
  expect(newer.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length })
  newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
  newer.close()
  const before = readFileSync(file)
  expect(() => openGrantStore(file)).toThrow(/its format version is/)
  expect(readFileSync(file)).toEqual(before)
  expect(readdirSync(directory)).toEqual(['grants.sqlite'])
})

describe('a file of the last released schema', () => {
  let store: ReturnType<typeof openGrantStore>
  let byId: ReadonlyMap<string, Grant>
  beforeEach(() => {
    const released = new DatabaseSync(file)
    released.exec(readFileSync(join(import.meta.dirname, 'format-2.sql'), 'utf8'))
    expect(released.prepare('PRAGMA user_version').get()).toEqual({ user_version: 2 })
    released.close()
    chmodSync(file, 0o600)
    store = openGrantStore(file)
    byId = new Map(store.load('test').map((grant) => [grant.id, grant]))
  })
  afterEach(() => store.close())

  const fileOf = (inode: number) => `66306:${inode}:456:1700000000000000001:1700000000000000002`
  const AT = { grantedAt: 1_795_000_000_001, lastUsedAt: 1_795_000_000_002 }
  const digest = (...digits: readonly string[]) => digits.map((digit) => digit.repeat(64)).join('+')
  const full = (id: string, program: Partial<Program>, over: Partial<Grant> = {}) =>
    sampleGrant(id, { ...AT, program: { kind: 'native', uid: 1000, executable: '/games/one', file: fileOf(1), ...program }, ...over })

  test('keeps every grant as it was', () => {
    const expected = [
      full('native', { digest: digest('a') }),
      full(
        'token',
        { executable: '/games/two', file: fileOf(2) },
        { basis: 'token', applicationName: undefined, username: undefined, scopes: [] },
      ),
      full('script', {
        kind: 'script',
        executable: '/games/three.py',
        file: fileOf(3),
        interpreter: { executable: '/usr/bin/python3.11', file: fileOf(30) },
        digest: digest('b', 'c'),
      }),
      full('wine', {
        kind: 'wine',
        executable: '/home/mia/.wine/drive_c/Games/four.exe',
        file: fileOf(4),
        interpreter: { executable: '/home/mia/.wine/drive_c/windows/sallyport-wine.exe', file: fileOf(40) },
        digest: digest('d', 'e'),
      }),
      full('flatpak', { kind: 'container', container: 'flatpak', executable: 'org.example.Five', file: undefined }),
      full('terminal', {
        kind: 'script',
        executable: '/opt/sallyport/sallyport.cjs',
        file: fileOf(8),
        interpreter: { executable: '/opt/node', file: fileOf(80) },
        session: 'tty:4304:271464',
      }),
      full('page', { kind: 'page', uid: undefined, executable: 'https://game.example', file: undefined }, { basis: 'token' }),
      full('bot', { digest: digest('a') }, { userId: 'bot', username: 'the bot of the application', scopes: ['bot'] }),
    ]
    for (const grant of expected) expect(byId.get(grant.id)).toEqual(grant)
    expect(store.load('other').map(({ id }) => id)).toEqual(['elsewhere'])
    expect(byId.size).toBe(expected.length + ['linux', 'mac'].length)
  })

  test('keeps a sandbox of macOS or Windows, and a container of Linux is no longer recognised', () => {
    const executable = '/Applications/Seven.app/Contents/MacOS/Seven'
    expect(byId.get('mac')).toEqual(
      full('mac', { kind: 'container', container: 'sandbox', executable, file: fileOf(7), digest: digest('a') }),
    )
    expect(['linux', 'mac'].map((id) => isKnown(byId.get(id)?.program ?? FULL.program))).toEqual([false, true])
  })

  test('is written and read in the new form', () => {
    const [wine] = store.load('test').filter(({ id }) => id === 'wine')
    const again = {
      ...FULL,
      ...wine,
      program: { ...FULL.program, ...wine?.program, loader: { executable: '/usr/bin/wine64', file: fileOf(9) } },
    }
    store.put(again)
    expect(store.load('test').find(({ id }) => id === 'wine')).toEqual(again)
  })
})

test('a file of another kind is an error that names it', () => {
  writeFileSync(file, 'no database at all, but long enough to be looked at as one'.repeat(20))
  expect(() => openGrantStore(file)).toThrow(
    expect.objectContaining({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(file) }),
  )
})

test('a write that fails is an error, and the rows before it stay', async () => {
  const store = openGrantStore(file)
  store.put(FULL)
  expect(() => store.put({ ...FULL, id: null as unknown as string })).toThrow(
    expect.objectContaining({ error: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('list of grants') }),
  )
  expect(store.load('test')).toEqual([FULL])
  await store.close()
})

/** More for a long run: KILL_RUNS=200. */
const RUNS = Number(process.env['KILL_RUNS'] ?? 2)

test('acknowledged writes survive kill -9', { timeout: RUNS * 30_000 }, async () => {
  const said: string[] = []
  for (let run = 0; run < RUNS; run++) {
    const writer = spawn(process.execPath, ['--conditions=sallyport-source', join(import.meta.dirname, 'writer.ts'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    await new Promise<void>((resolve) => {
      writer.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.split('\n').length > 3 + run) resolve()
      })
      writer.once('exit', () => resolve())
    })
    writer.kill('SIGKILL')
    await once(writer, 'close')
    said.push(...text.split('\n').slice(0, -1))
  }
  expect(said.length).toBeGreaterThan(RUNS)
  const store = openGrantStore(file)
  const found = new Set(store.load('test').map(({ id }) => id))
  expect(said.filter((id) => !found.has(id))).toEqual([])
  await store.close()
})
