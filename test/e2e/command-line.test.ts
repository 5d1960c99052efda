/** Tests the command line as users and tools use it: ready line, status, login, call, logout, and error sentences. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { BridgeState } from '@sallyport/protocol'
import { describe, expect, test } from 'vitest'
import { type Daemon, type Folders, folders, sallyport, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'

describe.each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  const run = (...words: string[]) => sallyport(target, [...words, '--runtime-dir', at.runtime], { HOME: at.data })

  useDaemon(target, (opened, inFolders) => {
    daemon = opened
    at = inFolders
  })

  test('the ready line is the first line on stdout and contains all addresses', () => {
    // Other daemons on this machine may have all the ports of the websocket.
    const { websocket = 'ws://127.0.0.1:6463', ...ready } = daemon.ready
    expect(websocket).toMatch(/^ws:\/\/127\.0\.0\.1:64(6[3-9]|7[0-2])$/)
    expect(ready).toEqual({
      event: 'ready',
      pid: expect.any(Number),
      ipc: [`${at.runtime}/discord-ipc-0`],
      platform: 'sandbox',
      apiBase: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v10$/),
      tokenUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/.*oauth2\/token$/),
      dashboard: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=.+/),
    })
  })

  test('the folder and the socket are for this user alone', () => {
    expect(statSync(at.runtime).mode & 0o777).toBe(0o700)
    expect(statSync(daemon.socket).mode & 0o777).toBe(0o600)
  })

  test('call before login is refused with a sentence; after login it prints the guilds; after logout it is refused again', async () => {
    const before = await run('call', 'GET_CURRENT_USER_GUILDS')
    expect(before.code).not.toBe(0)
    expect(before.err).toMatch(/INVALID_PERMISSIONS \(4006\).*AUTHORIZE/)

    const login = await run('login')
    expect(login).toMatchObject({ code: 0 })
    expect(login.out).toMatch(/Signed in as ada/)

    const guilds = await run('call', 'GET_CURRENT_USER_GUILDS', '--json')
    expect(guilds.code).toBe(0)
    expect(JSON.parse(guilds.out)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: expect.stringMatching(/^\d+$/), name: expect.any(String), banner: expect.anything() }),
      ]),
    )

    expect(await run('logout')).toMatchObject({ code: 0 })
    expect((await run('call', 'GET_CURRENT_USER_GUILDS')).err).toMatch(/4006/)
  })

  test('status shows the running bridge', async () => {
    const { code, out } = await run('status', '--json', '--data-dir', at.data)
    expect(code).toBe(0)
    const { settings, ...printed } = JSON.parse(out) as Readonly<Record<string, unknown>>
    expect(settings).toEqual({ platform: 'sandbox', from: 'default' })
    const state = BridgeState().parse(printed)
    expect(state).toMatchObject({ platform: 'sandbox', pid: daemon.ready.pid, ipc: [daemon.socket], games: [] })
    expect(Object.keys(printed).toSorted()).toEqual(Object.keys(state).toSorted())
    expect(Object.keys(state).filter((name) => !Object.hasOwn(BridgeState().shape, name))).toEqual([])
  })

  test('status without the data folder shows what a game learns', async () => {
    const { code, out, err } = await run('status', '--json', '--data-dir', join(at.base, 'elsewhere'))
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ platform: 'sandbox', pid: daemon.ready.pid })
    expect(JSON.parse(out)).not.toHaveProperty('games')
    expect(err).toContain('set --data-dir')
  })

  test('call carries arguments and shows errors of the bridge', async () => {
    const set = await run('call', 'SET_ACTIVITY', '{"pid":1,"activity":{"state":"from a terminal"}}', '--json')
    expect(JSON.parse(set.out)).toMatchObject({ state: 'from a terminal' })
    const misspelt = await run('call', 'GET_GUILD_CHANNELS', '{"guild_idd":"1","guild_id":"1"}')
    expect([misspelt.code, misspelt.err]).toEqual([4, expect.stringContaining('"guild_idd" is not known. Did you mean guild_id?')])
    const wrong = await run('call', 'SET_ACTIVITY', '{"pid":1,"activity":{"state":"x"}}')
    expect(wrong.code).not.toBe(0)
    expect(wrong.err).toContain('activity.state')
  })

  test.each([
    [['frobnicate'], /unknown command frobnicate/i],
    [['run', '--plattform', 'x'], /platform/],
    [['run', '--sandbox-port', 'abc'], /--sandbox-port/],
    [['run', '--platform', 'discord', '--consent', 'allow'], /sandbox only/],
    [['call', 'SET_ACTIVITY', '{oops'], /JSON/],
  ])('%j is refused with a sentence', async (words, sentence) => {
    const { code, err } = await sallyport(target, words, { HOME: at.data })
    expect(code).not.toBe(0)
    expect(err).toMatch(sentence)
  })

  test('a taken port is reported in a sentence', async () => {
    const port = new URL(daemon.ready.apiBase).port
    const other = await folders()
    const { code, err } = await sallyport(target, ['run', '--sandbox-port', port, '--runtime-dir', other.runtime, '--data-dir', other.data])
    expect(code).not.toBe(0)
    expect(err).toContain(port)
    await other.remove()
  })

  test.each([
    ['a folder that cannot be made', () => ['--runtime-dir', '/proc/none'], /--runtime-dir/],
    ['a folder in one that cannot take it', () => ['--data-dir', '/proc/none/deep'], /--data-dir/],
    ['a file in place of the sockets’ folder', () => ['--runtime-dir', `${at.data}/sandbox.sqlite`], /--runtime-dir/],
    ['a file in place of the data folder', () => ['--data-dir', `${at.data}/sandbox.sqlite`], /--data-dir/],
    ['a dashboard port that is taken', () => ['--dashboard-port', new URL(daemon.ready.apiBase).port], /--dashboard-port/],
  ])('%s is reported in a sentence', async (_, flags, sentence) => {
    const other = await folders()
    const { code, err } = await sallyport(target, ['run', '--runtime-dir', other.runtime, '--data-dir', other.data, ...flags()])
    expect(code).not.toBe(0)
    expect(err).toMatch(sentence)
    await other.remove()
  })

  test('without a bridge, status reports it and how to start one', async () => {
    const empty = await folders()
    const { code, err } = await sallyport(target, ['status', '--runtime-dir', empty.runtime])
    expect(code).toBe(3)
    expect(err).toMatch(/sallyport run/)
    await empty.remove()
  })

  test('a second daemon with the same data is refused, and changes nothing for the first', async () => {
    const { code, err } = await sallyport(target, ['run', '--platform', 'sandbox', '--runtime-dir', at.runtime, '--data-dir', at.data])
    expect(code).toBe(1)
    expect(err).toMatch(/A bridge runs with the data folder .* already, at .*discord-ipc-0\. Stop it with: sallyport stop/)
    const { code: found } = await sallyport(target, ['status', '--runtime-dir', at.runtime, '--data-dir', at.data])
    expect(found).toBe(0)
  })

  test('a second daemon takes the next slot; stopping leaves no socket behind', async () => {
    const data = await folders()
    const second = await startDaemon(target, { ...at, data: data.data })
    expect(second.ready.ipc).toEqual([`${at.runtime}/discord-ipc-1`])
    expect(await second.stop()).toBe(0)
    expect(existsSync(`${at.runtime}/discord-ipc-1`)).toBe(false)
    await data.remove()
  })
})
