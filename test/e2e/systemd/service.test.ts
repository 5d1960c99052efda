/** The installed package under a real systemd with a manager for each user, as on a desktop. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { handshake } from '#test/support/frames.ts'
import { GAME, Installed, obstacleToInstalled, OURS, PREPARE_MS, PROGRAM, SERVICE, signIn, SOCKET, UNIT_SOCKET } from './installed.ts'
import { APPLICATIONS, SHARED } from './machine.ts'

const SILENT = { evt: null, data: { user: { username: 'ada' } } }
/** More starts than systemd allows in ten seconds by default. */
const MANY_STARTS = 8
const NEXT_VERSION = '1.1.0'
/** Two managers that do not answer are waited for. */
const STUCK_MS = 300_000

describe.each(['plain', 'trixie'] as const)('the installed service (%s)', (system) => {
  let obstacle: string | undefined
  let at: Installed

  beforeAll(async () => {
    obstacle = await obstacleToInstalled(system)
    if (obstacle === undefined) at = await Installed.start(system)
  }, PREPARE_MS)
  beforeEach((context) => {
    context.skip(obstacle !== undefined, obstacle)
    at.stopBridge('allow')
  })
  afterEach(() => at.endPrograms())
  afterAll(() => at?.stop())

  /** Systemd waits this long between starts, instead of seconds. */
  function startsAgainAtOnce(): void {
    at.machine.write('player', `/home/player/.config/systemd/user/${SERVICE}.d/test.conf`, '[Service]\nRestartSec=50ms\n')
    at.systemctl('daemon-reload')
  }
  const restarts = () => Number(at.property('NRestarts'))

  test('starts with the first connection of a game, as the main process of its unit', async () => {
    expect(at.property('ActiveState')).toBe('inactive')
    await at.greet(at.machine.inUnit())
    expect(at.property('ActiveState')).toBe('active')
    const pid = at.property('MainPID')
    expect(at.state().pid).toBe(Number(pid))
    expect(at.machine.run('root', 'readlink', `/proc/${pid}/exe`)).toBe(`${PROGRAM}\n`)
    // In namespaces of its own it would take every game for a stranger.
    const namespaces = (of: string) => at.machine.run('root', 'readlink', `/proc/${of}/ns/mnt`, `/proc/${of}/ns/user`)
    expect(namespaces(pid)).toBe(namespaces('1'))
  })

  test('has units that systemd understands, and an exposure of at most 6.0', () => {
    const verify = `systemd-analyze --user verify /usr/lib/systemd/user/sallyport.* 2>&1`
    expect(at.machine.run('player', 'sh', '-c', verify)).toBe('')
    expect(at.machine.run('player', 'systemd-analyze', '--user', 'security', '--threshold=60', '--no-pager', SERVICE)).toContain(
      'Overall exposure level',
    )
  })

  test.each([
    { name: 'of a unit of the user', by: () => at.machine.inUnit(), group: `0::${APPLICATIONS}/run-` },
    { name: 'of a login', by: () => at.machine.inLogin(), group: '0::/user.slice/user-1000.slice/session-' },
  ])('a game $name is a native program, and its grant outlives the bridge', async ({ by, group }) => {
    const game = await at.greet(by())
    expect(at.seen()).toMatchObject({ program: GAME, group: expect.stringContaining(group) as string })
    expect(await signIn(game)).toHaveProperty('data.access_token')
    await at.endPrograms()
    at.stopBridge('deny')
    expect(await (await at.greet(by())).call('AUTHENTICATE', {})).toMatchObject(SILENT)
  })

  test('a game that an invite starts is in a unit of its own, without the confinement of the service', async () => {
    const [played, launched] = ['820000001', '820000002'] as const
    const hello = (application: string) => ({ ...OURS, client_id: application })
    // Its first frame is its handshake; then it stays until its input ends.
    writeFileSync(join(at.shared, 'hello'), handshake({ client_id: launched }))
    writeFileSync(join(at.shared, 'launched.sh'), `(cat ${SHARED}/hello && sleep 60) | ${GAME} ${SOCKET}\n`)
    const installer = await at.welcomed(at.open(at.machine.inUnit()), hello(launched))
    await installer.call('REGISTER_LAUNCH_COMMAND', { command: `/bin/sh ${SHARED}/launched.sh` })
    await installer.end()
    at.atPlatform('publish', launched, played)
    const guest = await at.welcomed(at.open(at.machine.inUnit()), hello(played))
    await guest.call('AUTHENTICATE', { access_token: at.atPlatform('token', 'grace', played) })
    await guest.call('SUBSCRIBE', undefined, 'ACTIVITY_INVITE')
    at.atPlatform('invite', 'ada', 'grace', launched)
    const { data } = await guest.message()
    const { user, session_id, channel_id, message_id } = data
    await guest.call('ACCEPT_ACTIVITY_INVITE', { type: 1, user_id: user.id, session_id, channel_id, message_id, application_id: launched })
    await expect.poll(() => at.state().games.at(-1)?.application_id).toBe(launched)
    const { pid, program, group } = at.seen()
    expect({ program, group }).toEqual({ program: GAME, group: expect.stringContaining(`0::${APPLICATIONS}/run-`) as string })
    expect(at.machine.run('root', 'cat', `/proc/${pid}/status`)).toMatch(/^NoNewPrivs:\t0$/m)
  })

  test('each user has a bridge, which no other user reaches', async () => {
    const owners = (['player', 'guest'] as const).map((user) =>
      at.machine.run('root', 'stat', '--format=%U', `/proc/${at.state(user).pid}`),
    )
    expect(owners).toEqual(['player\n', 'guest\n'])
    await expect(at.greet(at.machine.as('guest'))).rejects.toThrow('the connection ended')
    const { origin, hash } = new URL(readFileSync(at.machine.path('/home/player/.local/share/sallyport/dashboard.address'), 'utf8').trim())
    const header = `Authorization: Bearer ${hash.replace('#token=', '')}`
    const ask = 'busybox wget -S -O /dev/null --header="$1" "$2" 2>&1 || :'
    const asked = (user: 'player' | 'guest') => at.machine.run(user, 'sh', '-c', ask, 'sh', header, `${origin}/api/state`)
    expect(asked('player')).toContain('HTTP/1.1 200')
    expect(asked('guest'), 'with the token').toContain('HTTP/1.1 403')
  })

  test('a killed bridge is there for the next connection, however often', async () => {
    startsAgainAtOnce()
    await at.greet(at.machine.inUnit())
    for (let kills = 1; kills <= MANY_STARTS; kills++) {
      at.systemctl('kill', '--signal=KILL', SERVICE)
      await expect.poll(restarts).toBe(kills)
      await expect.poll(() => at.property('ActiveState')).toBe('active')
    }
    await at.greet(at.machine.inUnit())
    expect(at.property('ActiveState', UNIT_SOCKET)).toBe('active')
  })

  test('an upgrade and a removal end although the manager of another user does not answer', { timeout: STUCK_MS }, async () => {
    await at.makePackage(NEXT_VERSION)
    await at.greet(at.machine.inUnit())
    const before = at.property('MainPID')
    const signalManager = (name: string) =>
      at.machine.run('root', 'systemctl', 'kill', '--kill-who=main', `--signal=${name}`, 'user@1001.service')
    signalManager('STOP')
    try {
      at.installPackage(NEXT_VERSION)
      await at.greet(at.machine.inUnit())
      expect(at.property('MainPID')).not.toBe(before)
      at.machine.run('root', 'dpkg', '--purge', 'sallyport')
    } finally {
      signalManager('CONT')
    }
    expect(at.machine.run('root', 'sh', '-c', `readlink /proc/[0-9]*/exe | grep -c '^${PROGRAM}' || :`)).toBe('0\n')
    expect(existsSync(at.machine.path(SOCKET))).toBe(false)
  })
})
