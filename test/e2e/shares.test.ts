/** One program takes more than its share of what all programs have together, and another one is served meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createPkce } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { SOON } from '#test/support/soon.ts'
import { stateOf } from './support/bridge-state.ts'
import { cleanEnvironment, type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { makeProgram, ProgramClient } from './support/program-client.ts'
import { Person } from './support/person.ts'
import { RawClient } from './support/raw-client.ts'

const APPLICATION = '777000333'
const SCRIPT = join(import.meta.dirname, 'support/stranger.ts')
const MIB = 1024 * 1024
const ALLOWED_GROWTH = 192 * MIB
const PATIENCE_MS = 180_000
/** Turns of the honest game in which a stranger that is stopped gets no further. */
const TURNS = 50

const rss = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
const codeOf = ({ data }: { readonly data?: unknown }): number => (data as { readonly code?: number } | null)?.code ?? 0

interface Said {
  readonly event: string
  readonly bytes?: number
  readonly code?: number
  readonly codes?: Readonly<Record<string, number>>
}

/** A program of its own that does what the script has. */
class Stranger {
  readonly said: Said[] = []
  taken = 0
  readonly #child: ChildProcess

  constructor(words: readonly string[]) {
    const flags = ['--conditions=sallyport-source', '--no-warnings']
    this.#child = spawn(process.execPath, [...flags, SCRIPT, ...words], { env: cleanEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] })
    if (this.#child.stdout === null) throw new Error('no output')
    createInterface(this.#child.stdout).on('line', (line) => {
      const said = JSON.parse(line) as Said
      if (said.event === 'taken') this.taken = said.bytes ?? 0
      else this.said.push(said)
    })
  }

  async report(event: string): Promise<Said> {
    return expect
      .poll(() => this.said.find((one) => one.event === event), { timeout: PATIENCE_MS })
      .toBeDefined()
      .then(() => this.said.find((one) => one.event === event) as Said)
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await ended(this.#child)
  }
}

describe.skipIf(process.platform !== 'linux').each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let program: string
  let honest: RawClient
  const others: { end(): Promise<void> }[] = []

  beforeEach(async () => {
    at = await folders()
    program = makeProgram(join(at.base, 'stranger'))
  })
  afterEach(async () => {
    honest.hangUp()
    await Promise.all(others.splice(0).map((one) => one.end()))
    expect(await daemon.stop()).toBe(0)
    await at.remove()
  })

  const start = async (flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}) => {
    daemon = await startDaemon(target, at, ['--log-level', 'warn', ...flags], env)
    honest = await RawClient.ready(daemon.socket, { client_id: APPLICATION, contract: '1.0', streams: true })
  }
  const startStranger = async (application: string): Promise<ProgramClient> => {
    const client = await ProgramClient.start(program, daemon.socket, { client_id: application, contract: '1.0', streams: true })
    others.push(client)
    return client
  }
  const signIn = async () => {
    const { verifier, challenge } = createPkce()
    const asked = { scopes: ['identify', 'guilds'], code_challenge: challenge, code_challenge_method: 'S256' }
    const { code, redirect_uri } = (await honest.call('AUTHORIZE', asked)).data as { readonly code: string; readonly redirect_uri: string }
    await honest.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    expect(await honest.call('AUTHENTICATE', {})).toMatchObject({ evt: null })
  }
  const expectServed = async () => {
    expect(await honest.call('SET_ACTIVITY', { pid: 1, activity: { state: 'served' } })).toMatchObject({ evt: null })
  }
  /** Until the stranger gets no further, however often the honest game is served. */
  const stopped = async (stranger: Stranger): Promise<void> => {
    for (let before = -1; before !== stranger.taken; ) {
      before = stranger.taken
      for (let turn = 0; turn < TURNS; turn++) await expectServed()
    }
  }

  test('nine thousand made-up tokens cost the platform twenty answers, and the game that is signed in works on', async () => {
    await start()
    await signIn()
    const stranger = await startStranger('999000111')
    const tokens = Array.from({ length: 9216 }, (_, index) => stranger.call('AUTHENTICATE', { access_token: `made-up-${index}` }))
    const codes = (await Promise.all(tokens)).map(codeOf)
    expect(codes.filter((code) => code === 4009)).toHaveLength(20)
    expect(codes.filter((code) => code === 5011)).toHaveLength(9216 - 20)
    expect(await stranger.call('EXCHANGE_CHILD_TOKEN', { parent_token: 'x', child_application_id: '5' })).toMatchObject({
      data: { code: 5011 },
    })
    expect(await honest.call('GET_CURRENT_USER_GUILDS')).toMatchObject({ evt: null })
    const { data } = await honest.call('GET_BRIDGE_STATUS')
    expect((data as { readonly warnings?: readonly object[] }).warnings ?? []).toEqual([])
  })

  test('four hundred frames that never end are not taken, and their connections go when others wait', async () => {
    await start()
    await expectServed()
    const before = rss(daemon.ready.pid)
    const stranger = new Stranger([daemon.socket, '999000111', 'half-frames'])
    others.push(stranger)
    expect(await stranger.report('closed')).toMatchObject({ code: 1006 })
    await stopped(stranger)
    expect(stranger.said.map(({ event }) => event)).not.toContain('all-taken')
    expect(rss(daemon.ready.pid) - before).toBeLessThan(ALLOWED_GROWTH)
  })

  test('four thousand large calls wait outside until others are answered, and all are answered', async () => {
    await start()
    await signIn()
    honest.hangUp()
    expect(await daemon.stop()).toBe(0)
    const heap = target.name === 'source' ? { NODE_OPTIONS: '--max-old-space-size=256' } : {}
    await start(['--consent', 'prompt'], { PATH: '/nonexistent', ...heap })
    await expectServed()
    const before = rss(daemon.ready.pid)
    const stranger = new Stranger([daemon.socket, APPLICATION, 'open-calls'])
    others.push(stranger)
    const { origin, hash } = new URL(daemon.ready.dashboard ?? '')
    const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` }
    const prompts = async () => (await stateOf(daemon)).prompts
    await expect.poll(async () => (await prompts()).length, SOON).toBe(1)
    await stopped(stranger)
    expect(stranger.taken).toBeLessThan(64 * MIB)
    expect(rss(daemon.ready.pid) - before).toBeLessThan(ALLOWED_GROWTH)
    // A refusal holds for a minute; on a busy machine the same is asked again.
    const refuse = async () => {
      for (const { id } of await prompts()) await fetch(`${origin}/api/prompts/${id}/deny`, { method: 'POST', headers })
      return stranger.said.find(({ event }) => event === 'answered')
    }
    await expect.poll(refuse, { timeout: PATIENCE_MS }).toMatchObject({ codes: { 5000: 4096 } })
    await expectServed()
  })

  test('an event that no event can be is refused, and keeps nothing', async () => {
    await start()
    expect(await honest.call('SUBSCRIBE', {}, 'x'.repeat(1_000_000))).toMatchObject({ data: { code: 4000, path: 'evt' } })
  })

  test('a hundred cancelled authorizations open three pages, and another program can still authorize', async () => {
    await start(['--consent', 'prompt'], { PATH: '/nonexistent' })
    const stranger = await startStranger('555000111')
    const pages = () => [...daemon.output().matchAll(/go to \S+\n +Application +(\d+)/g)].map(([, id]) => id)
    const { challenge } = createPkce()
    const asked = { scopes: ['identify'], code_challenge: challenge, code_challenge_method: 'S256' }
    const person = new Person(daemon)
    const opened = async (application: string): Promise<boolean> => {
      for (const prompt of await person.prompts()) await person.answer(prompt, 'allow')
      return pages().includes(application)
    }
    const codes: number[] = []
    for (let count = 0; count < 100; count++) {
      const answer = stranger.call('AUTHORIZE', asked)
      // The user allows the program once, and then it asks without end.
      if (count === 0) await expect.poll(() => opened('555000111'), SOON).toBe(true)
      await stranger.call('ABORT_AUTHORIZE')
      codes.push(codeOf(await answer))
    }
    expect(pages().length).toBeLessThanOrEqual(3)
    // Given up before its page, with its page, or refused: three of them opened one at most.
    expect(
      codes.every((code) => code === 1002 || code === 5011),
      codes.join(),
    ).toBe(true)
    const own = honest.call('AUTHORIZE', asked)
    await expect.poll(() => opened(APPLICATION), SOON).toBe(true)
    await honest.call('ABORT_AUTHORIZE')
    expect(await own).toMatchObject({ data: { code: 1002 } })
  })

  test('sign-ins on other devices and wrong callbacks of one program leave room for another', async () => {
    await start()
    const stranger = await startStranger(APPLICATION)
    const begun = await Promise.all(Array.from({ length: 64 }, () => stranger.call('AUTHORIZE_DEVICE', { scopes: ['identify'] })))
    expect(begun.filter((answer) => codeOf(answer) === 0)).toHaveLength(16)
    expect(await honest.call('AUTHORIZE_DEVICE', { scopes: ['identify'] })).toMatchObject({ evt: null })

    const url = (state: string) => ({ url: `mygame:/authorize/callback?code=c&state=${state}` })
    const codes: number[] = []
    for (let guess = 0; guess < 11; guess++) codes.push(codeOf(await stranger.call('DELIVER_AUTHORIZE_CALLBACK', url(String(guess)))))
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 4020), 5011])
    expect(await honest.call('DELIVER_AUTHORIZE_CALLBACK', url('wrong'))).toMatchObject({ data: { code: 4020 } })
  })
})
