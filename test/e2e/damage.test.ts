/** The real daemon with damaged and unreadable data files: it serves on, says so where its user looks, and loses nothing. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SallyportClient } from '@sallyport/client'
import type { BridgeState } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'

const JUNK = 'no database, but as long as one '.repeat(400)
const FILES = ['calls.sqlite', 'grants.sqlite', 'history.sqlite', 'launches.sqlite', 'sandbox.sqlite']

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  beforeEach(async () => {
    at = await folders()
  })
  afterEach(async () => {
    await daemon.stop()
    await at.remove()
  })

  const start = async (...flags: string[]) => {
    daemon = await startDaemon(target, at, flags)
  }
  const game = () => connectedGame({ applicationId: '42', runtimeDir: at.runtime, requireBridge: true })
  async function signIn(): Promise<void> {
    const client = await game()
    await client.askToSignIn({ scopes: ['identify', 'rpc.activities.write'] })
    await client.close()
  }
  const command = (...words: string[]) =>
    sallyport(target, [...words, '--runtime-dir', at.runtime, '--data-dir', at.data], { HOME: at.base })
  const state = async () => JSON.parse((await command('status', '--json')).out) as BridgeState
  const inData = (name: string) => join(at.data, name)

  /** A run in which the user hides the one game that signed in. */
  async function runWithHiddenGame(): Promise<void> {
    await start()
    await signIn()
    const [grant] = (await state()).grants
    expect(await sallyport(target, ['grants', 'hide', grant?.id ?? '', '--data-dir', at.data])).toMatchObject({ code: 0 })
    await daemon.stop()
  }

  test('damaged files are set aside whole, games go on, and a hidden game stays hidden', async () => {
    await runWithHiddenGame()
    for (const name of FILES) writeFileSync(inData(name), JUNK, { mode: 0o600 })
    await start()
    await signIn()
    const { warnings, grants, presence_paused: isPaused } = await state()
    expect(warnings.map(({ kind, message }) => `${kind} ${message.slice(0, message.indexOf(' was'))}`)).toEqual([
      'data_file The list of grants',
      'data_file The data of the sandbox',
    ])
    expect(isPaused).toBe(false)
    expect(grants).toMatchObject([{ presence: 'hidden' }])
    const aside = readdirSync(at.data).filter((name) => name.includes('.damaged-'))
    expect(aside).toHaveLength(2)
    for (const name of aside) expect(readFileSync(inData(name), 'utf8')).toBe(JUNK)
    await expect.poll(daemon.output, SOON).toContain('data-set-aside')
    const doctor = await command('doctor', '--vault', 'file', '--dashboard-port', 'off')
    expect(doctor.code).toBe(1)
    expect(doctor.out).toMatch(/WRONG {8}data files: The list of grants was damaged/)
  })

  test('the prompt that follows says why the bridge asks again', async () => {
    mkdirSync(at.data, { mode: 0o700 })
    writeFileSync(inData('grants.sqlite'), JUNK, { mode: 0o600 })
    await start('--consent', 'prompt')
    const client = await game()
    const signingIn = client.askToSignIn({ scopes: ['identify'] }).catch(() => {})
    await vi.waitFor(async () => {
      const { prompts, presence_paused: isPaused } = await state()
      expect(prompts.flatMap(({ lines }) => lines).find(({ label }) => label === 'Note')?.text).toMatch(
        /^The list of grants was damaged on /,
      )
      // Neither list says which games were hidden.
      expect(isPaused).toBe(true)
    }, SOON)
    await client.close()
    await signingIn
  })

  test('a list of grants that cannot be read stays, and the bridge serves on without storing', async () => {
    mkdirSync(inData('grants.sqlite'), { recursive: true, mode: 0o700 })
    writeFileSync(inData('grants.sqlite/mine'), 'mine')
    await start()
    await signIn()
    const { warnings } = await state()
    expect(warnings).toMatchObject([
      { kind: 'data_file', message: expect.stringContaining('forgets the answers when it ends') as string },
      { kind: 'data_file', message: expect.stringContaining('presence is paused') as string },
    ])
    expect(readFileSync(inData('grants.sqlite/mine'), 'utf8')).toBe('mine')
    expect(readdirSync(at.data)).not.toContain('choices.json')
  })

  test.skipIf(process.platform === 'win32')('a plain file in the first slot gets the blame, not the client of the platform', async () => {
    mkdirSync(at.runtime, { mode: 0o700 })
    writeFileSync(join(at.runtime, 'discord-ipc-0'), 'mine')
    await start()
    expect(daemon.socket).toBe(join(at.runtime, 'discord-ipc-1'))
    await expect
      .poll(daemon.output, SOON)
      .toContain(`${join(at.runtime, 'discord-ipc-0')} is no socket, but has the name of the first slot. Move it away.`)
    expect(daemon.output()).not.toContain('desktop client.')
    expect(readFileSync(join(at.runtime, 'discord-ipc-0'), 'utf8')).toBe('mine')
  })

  test('data of a newer version ends the run with a code that units do not start again', async () => {
    await start()
    await signIn()
    await daemon.stop()
    const database = new DatabaseSync(inData('grants.sqlite'))
    database.exec('PRAGMA user_version = 99')
    database.close()
    const before = readFileSync(inData('grants.sqlite'))
    await start()
    // One search, because the daemon ends.
    await SallyportClient.connect({ applicationId: '42', runtimeDir: at.runtime, requireBridge: true }).then(
      (client) => client.close(),
      () => {},
    )
    await vi.waitFor(() => expect(daemon.hasExited).toBe(true), SOON)
    expect(await daemon.stop()).toBe(6)
    expect(readFileSync(inData('grants.sqlite'))).toEqual(before)
  })
})
