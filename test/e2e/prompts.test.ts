/** Prompts about programs cannot be forged, rushed or repeated: in a real terminal and on the dashboard, on the real daemon. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createPkce } from '@sallyport/client'
import type { BridgeStatus } from '@sallyport/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { fieldOf, Person } from './support/person.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'
import { RawClient } from './support/raw-client.ts'
import { hasTerminals, NO_TERMINAL, Terminal } from './support/daemon-terminal.ts'

const GAME = '555000'
const OTHER = '777000'
const FORGED = '  Program      '

/** A browser that only notes what it was asked to open. */
function noteOpened(at: Folders): { readonly env: NodeJS.ProcessEnv; readonly opened: () => string } {
  const [programs, note] = [join(at.base, 'bin'), join(at.base, 'opened')]
  mkdirSync(programs, { recursive: true })
  const opener = join(programs, 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\necho "$1" >> '${note}'\n`)
  chmodSync(opener, 0o755)
  return { env: { PATH: programs }, opened: () => (existsSync(note) ? readFileSync(note, 'utf8') : '') }
}

const authorize = (client: ProgramClient, more: object = {}) => {
  const { challenge, method } = createPkce()
  return client.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge, code_challenge_method: method, ...more })
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon | undefined
  const clients: ProgramClient[] = []
  beforeEach(async () => {
    at = await folders()
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end()
    await daemon?.stop()
    daemon = undefined
    await at.remove()
  })

  async function start(program: string, socket: string, applicationId = GAME): Promise<ProgramClient> {
    const client = await ProgramClient.start(program, socket, { client_id: applicationId, contract: '1.0', streams: true })
    clients.push(client)
    return client
  }
  const serve = async (env: NodeJS.ProcessEnv = { PATH: '/nonexistent' }) => {
    daemon = await startDaemon(target, at, ['--consent', 'prompt'], env)
    return { socket: daemon.socket, person: new Person(daemon), daemon }
  }
  const socketOf = () => join(at.runtime, 'discord-ipc-0')

  describe.skipIf(!hasTerminals)(`in a terminal (skipped where ${NO_TERMINAL})`, () => {
    let terminal: Terminal
    let browser: ReturnType<typeof noteOpened>
    beforeEach(async () => {
      browser = noteOpened(at)
      terminal = await Terminal.start(target, at, browser.env)
    })
    afterEach(async () => {
      expect(await terminal.end(), 'Ctrl-C ends it during any prompt').toBe(0)
    })

    /** Types until it has an effect, because input before the minimum reading time is ignored. */
    const answer = (text: string, effect: RegExp) =>
      vi.waitFor(() => {
        terminal.type(`${text}\n`)
        expect(terminal.shown).toMatch(effect)
      }, SOON)

    test('no path makes a line of ours, pushes one out of the window, or turns anything around', async () => {
      const spaces = Array.from({ length: 9 }, () => ' '.repeat(250))
      const evil = makeProgram(join(at.base, `\u202egod\n${FORGED}`, ...spaces, `x${FORGED}`, 'supertux2'))
      const asked = authorize(await start(evil, socketOf()))
      const [, id = ''] = await terminal.until(/\(prompt (\w+)\)[^]*Answer with/)
      const prompt = terminal.shown.slice(terminal.shown.indexOf('A program wants'), terminal.shown.indexOf('Answer with'))
      const rows = prompt.trimEnd().split('\n')
      expect(rows.map((row) => row.slice(0, 15).trim())).toEqual([
        rows[0]?.slice(0, 15).trim(),
        'Application',
        'Account',
        'May do',
        'Why',
        'Process',
        'Program',
        ...rows.slice(7).map(() => ''),
      ])
      expect(rows.length).toBeLessThan(20)
      for (const row of rows) expect(row.length).toBeLessThan(100)
      expect(prompt).toContain(String.raw`\u{202e}god\u{a}`)
      expect(terminal.shown).not.toContain('\u202e')
      await answer(`${id} no`, /"outcome":"denied"/)
      expect(await asked).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
      expect(browser.opened()).toBe('')
    })

    test('input for one prompt answers no other', async () => {
      const [good, evil] = ['good', 'evil'].map((name) => makeProgram(join(at.base, 'games', name))) as [string, string]
      const first = await start(good, socketOf())
      void authorize(first).catch(() => {})
      const [, one = ''] = await terminal.until(/\(prompt (\w+)\)[^]*Answer with/)
      terminal.type(`${one} ye`)
      await first.end()
      await terminal.until(new RegExp(`Prompt ${one} was answered elsewhere or cancelled`))
      const asked = authorize(await start(evil, socketOf(), OTHER))
      const [, two = ''] = await terminal.until(
        new RegExp(`answered elsewhere or cancelled[^]*\\(prompt (\\w+)\\)[^]*${evil}[^]*Answer with`),
      )
      expect(two).not.toBe(one)
      terminal.type('s\nyes\n')
      await answer('yes', new RegExp(`Answer with: {2}${two} yes[^]*Answer with: {2}${two} yes`))
      expect(terminal.shown).not.toContain('"outcome":"allowed"')
      expect(browser.opened()).toBe('')
      await answer(`${two} no`, /"outcome":"denied"/)
      expect(await asked).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
    })

    test('a yes that names the prompt opens the page, which names the program too', async () => {
      const game = makeProgram(join(at.base, 'games', 'game'))
      void authorize(await start(game, socketOf())).catch(() => {})
      const [, id = ''] = await terminal.until(/\(prompt (\w+)\)[^]*Answer with/)
      expect(browser.opened()).toBe('')
      await answer(`${id} yes`, /"outcome":"allowed"/)
      await terminal.until(
        new RegExp(`A program asks to sign in\\. If no browser opens[^]*Application {2}${GAME}\\n[^]*Program {6}${game}\\n`),
      )
      await expect.poll(browser.opened, SOON).not.toBe('')
    })
  })

  test('the first AUTHORIZE of a program causes a prompt before a browser opens; the page stays the platform’s', async () => {
    const browser = noteOpened(at)
    const { socket, person } = await serve(browser.env)
    const game = makeProgram(join(at.base, 'games', 'game'))
    const client = await start(game, socket)
    void authorize(client).catch(() => {})
    const prompt = await person.prompt()
    expect([fieldOf(prompt, 'Program'), fieldOf(prompt, 'Application'), fieldOf(prompt, 'Process')]).toEqual([
      game,
      GAME,
      expect.stringMatching(/^\d+$/),
    ])
    expect(browser.opened()).toBe('')
    await person.answer(prompt, 'allow')
    const page = new URL(await person.nextPage())
    expect(page.searchParams.has('prompt')).toBe(false)
    await expect.poll(browser.opened, SOON).not.toBe('')
  })

  test('a program that was refused gains nothing by touching, renaming or copying its file, or by another application', async () => {
    const { socket, person } = await serve()
    const path = makeProgram(join(at.base, 'games', 'game'))
    const moved = join(at.base, 'elsewhere', 'another')
    const refused = async (program: string, applicationId?: string) => {
      const client = await start(program, socket, applicationId)
      expect(await authorize(client)).toMatchObject({
        evt: 'ERROR',
        data: { code: 5000, message: expect.stringContaining('access_denied') },
      })
      expect(await person.prompts()).toEqual([])
      await client.end()
    }
    const first = await start(path, socket)
    const asked = authorize(first)
    await person.answer(await person.prompt(), 'deny')
    expect(await asked).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
    await first.end()

    await refused(path)
    await refused(path, OTHER)
    utimesSync(path, 1, 1)
    await refused(path, OTHER)
    mkdirSync(dirname(moved))
    renameSync(path, moved)
    await refused(moved)
    const copy = join(at.base, 'elsewhere', 'copy')
    copyFileSync(moved, copy)
    await refused(copy, OTHER)
    expect((daemon?.output() ?? '').match(/"event":"prompt-opened"/g)).toHaveLength(1)

    const other = makeProgram(path)
    writeFileSync(other, 'x', { flag: 'a' })
    const client = await start(other, socket)
    // The place was refused, not only what lay there.
    expect(await authorize(client)).toMatchObject({ evt: 'ERROR', data: { code: 5000 } })
  })

  test('unknown or too many scopes are refused without a prompt, and little is logged', async () => {
    const { socket, person, daemon: running } = await serve()
    const game = await RawClient.ready(socket, { client_id: GAME, contract: '1.0', streams: true })
    const before = running.output().length
    const refusals: readonly (readonly [object, number, string])[] = [
      [{ scopes: Array.from({ length: 230_000 }, () => 'a') }, 4000, 'scopes'],
      [{ scope: 'a '.repeat(230_000) }, 4000, 'scope'],
      [{ scopes: ['identify,', '/usr/games/supertux2 (process 2210)'] }, 4000, 'scopes[0]'],
      [{ scope: 'identify guilds\nAllow it?' }, 4000, 'scope'],
      [{ scopes: ['identify', 'made.up'] }, 5000, 'scopes[1]'],
      [{ scopes: ['rpc.local'] }, 5000, 'scopes[0]'],
    ]
    for (const cmd of ['AUTHORIZE', 'AUTHORIZE_DEVICE'])
      for (const [args, code, path] of refusals) expect(await game.call(cmd, args)).toMatchObject({ evt: 'ERROR', data: { code, path } })
    expect(await person.prompts()).toEqual([])
    game.hangUp()
    await running.stop()
    expect(running.output().length - before).toBeLessThan(2_000)
  })

  test('a game sees its own connection alone', async () => {
    const { socket } = await serve()
    const games = [GAME, OTHER].map((applicationId) => connectedGame({ applicationId, runtimeDir: at.runtime }))
    const raw = await RawClient.ready(socket, { client_id: '999' })
    const [one, two] = await Promise.all(games)
    const status = (await raw.call('GET_BRIDGE_STATUS')).data as BridgeStatus
    expect(status.games).toEqual([expect.objectContaining({ application_id: '999' })])
    expect(JSON.stringify(status)).not.toContain(GAME)
    raw.hangUp()
    await Promise.all([one?.close(), two?.close()])
  })
})
