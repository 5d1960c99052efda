/** `sallyport games` with the real daemon, and two desktop clients in two slots: which of them shows a game, and what is blocked and hidden. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BridgeState } from '@sallyport/protocol'
import type { KnownGame } from '@sallyport/core/known-games'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { startStandIn, type StandInProcess } from '#test/support/stand-in-process.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const GAME = '820000001'
const ANN = { id: '41', username: 'ann' }
const BOB = { id: '42', username: 'bob' }

interface Listed {
  readonly games: readonly KnownGame[]
  readonly places: BridgeState['places']
  readonly chosen_places?: readonly string[]
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let clients: StandInProcess[]
  const open: RawClient[] = []

  beforeEach(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    clients = []
  })
  afterEach(async () => {
    for (const game of open.splice(0)) game.hangUp()
    for (const client of clients) await client.kill()
    await daemon.stop()
    await at.remove()
  })

  const run = (...words: readonly string[]) => sallyport(target, ['games', ...words, '--data-dir', at.data], { HOME: at.base })
  async function done(...words: readonly string[]): Promise<string> {
    const { code, out, err } = await run(...words)
    expect(code, err).toBe(0)
    return out
  }
  const list = async (): Promise<Listed> => JSON.parse(await done('--json')) as Listed
  async function startClient(user: typeof ANN, path?: string): Promise<StandInProcess> {
    const { apiBase } = daemon.ready
    const apiEndpoint = apiBase.replace(/^http:/, '').replace(/\/v\d+$/, '')
    const place = path === undefined ? ({ directory: at.runtime, slot: 'first' } as const) : { path }
    const client = await startStandIn({ ...place, user, apiEndpoint, apiBase, limitsConnections: true })
    clients.push(client)
    return client
  }
  /** A game that looks for the bridge may ask the clients too, and they let an application connect twice a minute. */
  async function start(): Promise<RawClient> {
    const game = await RawClient.ready(daemon.socket, { client_id: GAME, contract: '1.0' })
    open.push(game)
    return game
  }
  async function playing(): Promise<RawClient> {
    const game = await start()
    expect(await shows(game, 'At sea')).toMatchObject({ evt: null })
    return game
  }
  const shows = (game: RawClient, details: string) => game.call('SET_ACTIVITY', { pid: 12, activity: { details } })
  const shownBy = async (client: StandInProcess): Promise<string | undefined> => {
    const { connections } = await client.state()
    const activities = connections.map(({ activity }) => (activity as { activity?: { details?: string } } | null)?.activity?.details)
    return activities.find((details) => details !== undefined)
  }
  const shown = (...expected: readonly (string | undefined)[]) =>
    vi.waitFor(async () => expect(await Promise.all(clients.map((client) => shownBy(client)))).toEqual(expected), SOON)

  test('the user chooses which of two clients in two slots shows a game, and every game', async () => {
    await startClient(ANN)
    const game = await playing()
    // The first client that can show a game does.
    await shown('At sea')
    const bob = await startClient(BOB)
    expect(new Set([daemon.socket, ...clients.map(({ path }) => path)]).size).toBe(3)
    await shown('At sea', undefined)
    const known = async () => (await list()).places.filter(({ kind }) => kind === 'client').map(({ id, username }) => [id, username])
    await vi.waitFor(
      async () =>
        expect(await known()).toEqual([
          ['41', 'ann'],
          ['42', 'bob'],
        ]),
      SOON,
    )
    const [listed] = (await list()).games
    expect(listed).toMatchObject({ application_id: GAME, access: 'not-allowed', running: true, shown_on: ['41'] })

    expect(await done('show-on', listed?.id ?? '', '42')).toBe('The game is shown on: bob.\n')
    await shown(undefined, 'At sea')
    await shows(game, 'Ashore')
    await shown(undefined, 'Ashore')
    const [row] = (await list()).games
    expect(row).toMatchObject({ chosen_places: ['42'], shown_on: ['42'] })

    await done('show-on', row?.id ?? '', '41', '42')
    await shown('Ashore', 'Ashore')
    await done('show-on', row?.id ?? '', 'default')
    await shown('Ashore', undefined)
    expect(await done('show-on', 'all', '42')).toContain('Every game without a choice of its own is shown on: bob.')
    await shown(undefined, 'Ashore')

    await bob.kill()
    clients.pop()
    await startClient(BOB, bob.path)
    await shown(undefined, 'Ashore')
  })

  test('a choice holds when the daemon starts again, also without the list of grants', async () => {
    await startClient(ANN)
    await playing()
    await shown('At sea')
    await startClient(BOB)
    await shown('At sea', undefined)
    await vi.waitFor(async () => expect((await list()).places.map(({ id }) => id)).toContain('42'), SOON)
    await done('show-on', 'all', '42')
    await shown(undefined, 'At sea')
    await daemon.stop()
    for (const ending of ['', '-wal', '-shm']) rmSync(join(at.data, `grants.sqlite${ending}`), { force: true })
    for (const game of open.splice(0)) game.hangUp()
    daemon = await startDaemon(target, at)
    const [first, second] = clients as [StandInProcess, StandInProcess]
    const before = (await first.calls()).length
    for (const client of clients.splice(0)) await client.kill()
    await startClient(ANN, first.path)
    await startClient(BOB, second.path)
    await playing()
    await shown(undefined, 'At sea')
    expect(before).toBeGreaterThan(0)
    expect(await clients[0]?.calls()).toEqual([])
    expect((await list()).chosen_places).toEqual(['42'])
  })

  test('a name that the daemon does not know is refused, and says which it knows', async () => {
    await playing()
    const { code, err } = await run('show-on', 'all', 'eve')
    expect([code, err]).toEqual([4, expect.stringContaining('knows no place eve. It knows account')])
  })

  test('hides and shows a game', async () => {
    await startClient(ANN)
    await playing()
    await shown('At sea')
    const [{ id }] = (await list()).games as [KnownGame]
    await done('hide', id)
    await shown(undefined)
    expect(await done()).toMatch(/no grant +hidden /)
    const [hidden] = (await list()).games as [KnownGame]
    await done('show', hidden.id)
    await shown('At sea')
  })

  test('blocks and unblocks a game', async () => {
    await startClient(ANN)
    const game = await playing()
    await shown('At sea')
    const [known] = (await list()).games as [KnownGame]
    await done('block', known.id)
    await shown(undefined)
    game.hangUp()
    await vi.waitFor(async () => expect((await list()).games).toMatchObject([{ access: 'blocked', running: false }]), SOON)
    const [blocked] = (await list()).games as [KnownGame]
    expect(await shows(await start(), 'At sea')).toMatchObject({
      evt: 'ERROR',
      data: { message: expect.stringContaining('blocked') as string },
    })
    for (const one of open.splice(0)) one.hangUp()

    const without = await run('unblock', blocked.id)
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('only in the foreground of a terminal')])
    expect((await list()).games).toMatchObject([{ access: 'blocked' }])
    await done('unblock', blocked.id, '--non-interactive')
    expect((await list()).games).toEqual([])
    await playing()
    await shown('At sea')
  })

  test('what is not blocked is not unblocked, and an unknown game is named', async () => {
    for (const words of [
      ['unblock', 'abc', '--non-interactive'],
      ['hide', 'abc'],
    ]) {
      const { code, err } = await run(...words)
      expect([code, err]).toEqual([4, expect.stringContaining('There is no game abc')])
    }
    expect((await run('hide')).code).toBe(2)
    expect(await done()).toContain('No game is connected')
  })
})
