import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isKnown } from '#daemon/src/identity/program.ts'
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
const BARE = sampleGrant('bare', {
  applicationName: undefined,
  username: undefined,
  program: { kind: 'unknown', uid: undefined, executable: undefined, file: undefined },
  basis: 'token',
  scopes: [],
})

test('rows are loaded unchanged, by platform, from a file that only this user can read', async () => {
  const store = openGrantStore(file)
  for (const grant of [FULL, BARE, OF_TERMINAL, sampleGrant('other', { platform: 'other' })]) store.put(grant)
  store.put({ ...FULL, scopes: ['email'] })
  await store.close()
  const again = openGrantStore(file)
  expect(again.load('test').toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([BARE, { ...FULL, scopes: ['email'] }, OF_TERMINAL])
  again.remove(['full', 'bare', 'terminal', 'unknown'])
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
  const newer = new DatabaseSync(file)
  expect(newer.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length })
  newer.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
  newer.close()
  expect(() => openGrantStore(file)).toThrow(/its format version is/)
})

test('a grant of a sandbox of macOS or Windows stays, and one of a container of Linux is no longer recognised', async () => {
  const contained = (id: string, at: string) =>
    sampleGrant(id, { program: { ...FULL.program, kind: 'container', container: 'other', file: at } })
  const released = new DatabaseSync(file)
  released.exec([...MIGRATIONS.slice(0, 2), 'PRAGMA user_version = 2'].join(';'))
  const put = released.prepare(
    `INSERT INTO grants VALUES (?, 'test', '7', 'Dockside', '12345678901234567890', 'ada', 1000, '/games/one', ?, 'allowed',
     'identify guilds', 1800000000001, 1800000000002, 'container', NULL, NULL, 'other', ?, NULL)`,
  )
  const { digest = '' } = FULL.program
  put.run('linux', 'mnt:[4026532758]:1:2:3:4:5', digest)
  put.run('mac', '1:2:3:4:5', digest)
  released.close()
  chmodSync(file, 0o600)
  const store = openGrantStore(file)
  const [linux, mac] = store.load('test').toSorted((a, b) => a.id.localeCompare(b.id))
  expect(linux).toEqual(contained('linux', 'mnt:[4026532758]:1:2:3:4:5'))
  expect(mac).toEqual(sampleGrant('mac', { program: { ...contained('mac', '1:2:3:4:5').program, container: 'sandbox' } }))
  expect([linux, mac].map((grant) => grant !== undefined && isKnown(grant.program))).toEqual([false, true])
  await store.close()
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
