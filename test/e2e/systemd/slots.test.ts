/** Slots in a booted system: the package, `sallyport install` and a client of the platform that has or takes the first slot. */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../support/seeded-random.ts'
import { FIRST_VERSION, Installed, obstacleToInstalled, PREPARE_MS, PROGRAM, SERVICE, SOCKET, UNIT_SOCKET } from './installed.ts'
import { SHARED } from './machine.ts'

const RUNTIME = '/run/user/1000'
const slot = (number: number): string => `${RUNTIME}/discord-ipc-${number}`
const OWN_UNITS = '/home/player/.config/systemd/user'
const ACTIVATION = `${RUNTIME}/sallyport/discord-ipc-0`
const STARTS = 500
const STARTS_MS = 1_800_000
const SEED = 500

describe('slots in a booted system', () => {
  let obstacle: string | undefined
  let at: Installed

  beforeAll(async () => {
    obstacle = await obstacleToInstalled()
    if (obstacle !== undefined) return
    at = await Installed.start()
    const source = join(import.meta.dirname, 'slot-client.c')
    execFileSync('gcc', ['-O1', '-static', '-Wall', '-Wextra', '-o', join(at.shared, 'slot-client'), source])
  }, PREPARE_MS)
  beforeEach((context) => {
    context.skip(obstacle !== undefined, obstacle)
    at.stopBridge('allow')
    at.systemctl('restart', UNIT_SOCKET)
  })
  afterEach(async () => {
    at.machine.run('player', 'sh', '-c', 'systemctl --user stop mine.service client.service 2>/dev/null || :')
    await at.endPrograms()
  })
  afterAll(() => at?.stop())

  const inode = (path: string): number | undefined => lstatSync(at.machine.path(path), { throwIfNoEntry: false })?.ino
  const isOurs = (path: string): boolean => inode(path) !== undefined && inode(path) === inode(ACTIVATION)
  const shell = (script: string): string => at.machine.run('player', 'sh', '-c', script)
  const remove = () => at.machine.run('root', 'dpkg', '--purge', 'sallyport')
  /** A client in the first slot, until `end`. */
  function client(): { readonly end: () => void } {
    const run = ['systemd-run', '--user', '--quiet', '--collect', '--unit=client']
    at.machine.run('player', ...run, `${SHARED}/slot-client`, RUNTIME, 'bind', '0', '600000', 'leave')
    return { end: () => void at.systemctl('kill', '--signal=KILL', 'client.service') }
  }
  const hasClient = () => expect.poll(() => shell(`${SHARED}/slot-client ${RUNTIME} bind 0 1 remove`)).toMatch(/^[1-9] kept/)

  test('the name in the slot is a link to the socket of systemd, and goes with it', () => {
    expect(isOurs(SOCKET)).toBe(true)
    at.systemctl('stop', UNIT_SOCKET)
    expect(inode(SOCKET)).toBeUndefined()
    at.systemctl('start', UNIT_SOCKET)
    expect(isOurs(SOCKET)).toBe(true)
  })

  test('a client that has the slot keeps it over an installation, a removal and an upgrade; the bridge follows it', async () => {
    remove()
    const { end } = client()
    await hasClient()
    const theirs = inode(SOCKET)
    at.installPackage(FIRST_VERSION)
    await expect.poll(() => isOurs(slot(1))).toBe(true)
    expect(inode(SOCKET)).toBe(theirs)
    const game = await at.greet(at.machine.inUnit(), undefined, slot(1))
    expect(at.state().ipc).toEqual([slot(1)])

    at.machine.run('player', PROGRAM, 'uninstall')
    expect([inode(SOCKET), isOurs(slot(1))]).toEqual([theirs, true])

    end()
    await expect.poll(() => isOurs(SOCKET)).toBe(true)
    expect(inode(slot(1))).toBeUndefined()
    expect(await game.call('GET_BRIDGE_STATUS')).toHaveProperty('evt', null)
    await at.greet(at.machine.inUnit())
    remove()
    expect([inode(SOCKET), inode(slot(1))]).toEqual([undefined, undefined])
    at.installPackage(FIRST_VERSION)
  })

  test('a client that started first keeps its socket when the package goes', async () => {
    at.systemctl('stop', UNIT_SOCKET)
    const { end } = client()
    await hasClient()
    const theirs = inode(SOCKET)
    at.systemctl('start', UNIT_SOCKET)
    await expect.poll(() => isOurs(slot(1))).toBe(true)
    remove()
    expect([inode(SOCKET), inode(slot(1))]).toEqual([theirs, undefined])
    end()
    at.installPackage(FIRST_VERSION)
  })

  test('sallyport install beside the package places no second set, and calls no own socket foreign', () => {
    const said = shell(`${PROGRAM} install 2>&1`)
    expect(said).toContain('A package starts the bridge for every user')
    expect(said).not.toContain('Another program')
    expect(existsSync(at.machine.path(`${OWN_UNITS}/${SERVICE}`))).toBe(false)
    expect(isOurs(SOCKET)).toBe(true)
    expect(shell(`${PROGRAM} install --data-dir /tmp/x 2>&1 || :`)).toContain('without --data-dir')
    expect(shell(`${PROGRAM} doctor || :`)).toMatch(/^ok +service: \/usr\/lib\/systemd\/user\/sallyport\.service/m)
  })

  test('sallyport install removes an own set that hides the package, and uninstall leaves what a package owns', async () => {
    at.machine.write('player', `${OWN_UNITS}/${SERVICE}`, '[Service]\nExecStart=/gone/sallyport run\n')
    at.machine.write('player', `${OWN_UNITS}/${UNIT_SOCKET}`, '[Socket]\nListenStream=%t/elsewhere\n')
    at.systemctl('daemon-reload')
    expect(shell(`${PROGRAM} doctor || :`)).toMatch(/^FAIL +service: .*hides \/usr\/lib\/systemd\/user\/sallyport\.service/m)
    shell(`${PROGRAM} install`)
    expect(existsSync(at.machine.path(`${OWN_UNITS}/${SERVICE}`))).toBe(false)
    expect(isOurs(SOCKET)).toBe(true)
    await at.greet(at.machine.inUnit())
    const pid = at.property('MainPID')
    expect(shell(`${PROGRAM} uninstall 2>&1`)).toContain('The package still starts the bridge')
    expect([at.property('MainPID'), isOurs(SOCKET)]).toEqual([pid, true])
  })

  test('a bridge that the user runs is not joined by a second one with the same data', async () => {
    at.systemctl('stop', UNIT_SOCKET)
    at.machine.run('player', 'systemd-run', '--user', '--quiet', '--collect', '--unit=mine', PROGRAM, 'run')
    await expect.poll(() => inode(SOCKET)).toBeDefined()
    at.systemctl('start', UNIT_SOCKET)
    await expect.poll(() => at.property('ActiveState')).toBe('inactive')
    expect(at.machine.run('root', 'sh', '-c', `readlink /proc/[0-9]*/exe | grep -c '^${PROGRAM}$'`)).toBe('1\n')
    expect(at.state().ipc).toEqual([SOCKET])
    at.systemctl('stop', 'mine.service')
    at.systemctl('restart', UNIT_SOCKET)
    expect(isOurs(SOCKET)).toBe(true)
  })

  test(`a client and the installation start in any order, ${STARTS} times, and no client loses its name`, { timeout: STARTS_MS }, () => {
    const random = seededRandom(SEED)
    const below = (most: number): number => Math.floor(random() * most)
    const lines = Array.from({ length: STARTS }, () => {
      const how = below(2) === 0 ? 'bind' : 'rename'
      const pauses = [below(120), below(120)].map((ms) => (ms / 1000).toFixed(3))
      return [...pauses, how, below(3) === 0 ? below(3000) : 0, 150 + below(150), below(2) === 0 ? 'leave' : 'remove'].join(' ')
    })
    const script = `while read before later how us life end; do
      systemctl --user stop ${UNIT_SOCKET}
      (sleep $before; exec ${SHARED}/slot-client ${RUNTIME} $how $us $life $end) &
      sleep $later
      systemctl --user start ${UNIT_SOCKET}
      wait
      named=none
      # The bridge may have started with the socket.
      for try in $(seq 100); do [ -n "$(find ${RUNTIME} -maxdepth 1 -samefile ${ACTIVATION} -name 'discord-ipc-*')" ] && break; sleep 0.02; done
      for name in ${RUNTIME}/discord-ipc-[0-9]; do [ "$name" -ef ${ACTIVATION} ] && named=\${name##*-}; done
      echo "bridge $named"
    done`
    writeFileSync(join(at.shared, 'starts.sh'), script)
    writeFileSync(join(at.shared, 'starts'), `${lines.join('\n')}\n`)
    const [program, ...words] = at.machine.as('player')
    const said = execFileSync(program, [...words, 'sh', '-c', `sh ${SHARED}/starts.sh <${SHARED}/starts`], { encoding: 'utf8' })
    const all = said.trim().split('\n')
    const clients = all.filter((line) => !line.startsWith('bridge'))
    const counts = Object.entries(Object.groupBy(all, (line) => line)).map(([line, some = []]) => `${line}: ${some.length}`)
    console.log(counts.join(', '))
    expect(clients).toHaveLength(STARTS)
    expect(clients.filter((line) => !/^\d kept$/.test(line))).toEqual([])
    expect(all.filter((line) => line === 'bridge none')).toEqual([])
  })
})
