/** Files that the bridge cannot use, under a user's real manager: the socket stays, and games are served as soon as they can be. */
import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Installed, obstacleToInstalled, PREPARE_MS, PROGRAM, SERVICE, SETTINGS, signIn, SOCKET, UNIT_SOCKET } from './installed.ts'

const DATA = '/home/player/.local/share/sallyport'
const JUNK = 'no database, but as long as one '.repeat(400)
/** Systemd ends a socket after so many starts in two seconds. */
const PATIENT_STARTS = 3

describe('damage in a booted system', () => {
  let obstacle: string | undefined
  let at: Installed

  beforeAll(async () => {
    obstacle = await obstacleToInstalled()
    if (obstacle === undefined) at = await Installed.start()
  }, PREPARE_MS)
  beforeEach((context) => {
    context.skip(obstacle !== undefined, obstacle)
    at.stopBridge('allow')
  })
  afterEach(() => at.endPrograms())
  afterAll(() => at?.stop())

  const isListening = () => expect([at.property('ActiveState', UNIT_SOCKET), existsSync(at.machine.path(SOCKET))]).toEqual(['active', true])

  test('a damaged list of grants is set aside; the game is served, and status says what happened', async () => {
    expect(await signIn(await at.greet(at.machine.inUnit()))).toHaveProperty('data.access_token')
    await at.endPrograms()
    at.stopBridge('allow')
    at.machine.write('player', `${DATA}/grants.sqlite`, JUNK)
    const game = await at.greet(at.machine.inUnit())
    expect(await signIn(game)).toHaveProperty('data.access_token')
    isListening()
    expect(at.property('NRestarts')).toBe('0')
    expect(at.machine.run('player', PROGRAM, 'status')).toContain('The list of grants was damaged')
    expect(at.machine.run('player', 'sh', '-c', `cat ${DATA}/grants.sqlite.damaged-*`)).toBe(JUNK)
  })

  describe.each([
    { name: 'a wrong setting', status: 2, path: SETTINGS, wrong: '{"consent": "perhaps"}', right: '{}' },
    { name: 'data of a newer version', status: 6, path: `${DATA}/format`, wrong: '999\n', right: undefined },
  ])('$name', ({ status, path, wrong, right }) => {
    let before: string
    beforeEach(async () => {
      // It makes the data folder.
      await at.greet(at.machine.inUnit())
      await at.endPrograms()
      at.systemctl('stop', SERVICE)
      before = right ?? at.machine.run('player', 'cat', path)
      at.machine.write('player', path, wrong)
    })

    test('does not start the service again by itself', async () => {
      at.systemctl('start', SERVICE)
      await expect.poll(() => at.property('SubState')).toBe('failed')
      expect([at.property('ExecMainStatus'), at.property('NRestarts')]).toEqual([String(status), '0'])
      isListening()
      at.machine.write('player', path, before)
    })

    test('leaves the socket to a game that waits, which is served as soon as it can be', async () => {
      const game = at.open(at.machine.inUnit())
      await game.connector
      const started = new Set<string>()
      await expect.poll(() => started.add(at.property('ExecMainPID')).size).toBeGreaterThan(PATIENT_STARTS)
      await expect.poll(() => at.property('ExecMainStatus')).toBe(String(status))
      isListening()
      at.machine.write('player', path, before)
      await at.welcomed(game)
    })
  })
})
