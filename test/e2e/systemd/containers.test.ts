/** Real containers and real control groups: what the bridge makes of a Flatpak application, and of those that pass for one. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { APPLICATION, CLIENT_FOLDER, GAME_OF_APPLICATION, inFlatpak, installApplications, OTHER_APPLICATION } from './flatpak.ts'
import { GAME, Installed, obstacleToInstalled, OURS, PREPARE_MS, PROGRAM, SERVICE, signIn, SOCKET } from './installed.ts'
import { APPLICATIONS, SHARED } from './machine.ts'

/** How the bridge shows the application, and what is in another container. */
const FLATPAK = `the Flatpak application ${APPLICATION}`
const ELSE = `a program in a container, which calls itself ${GAME}`
/** Sees everything, with the rights of its user, and can make containers in itself. */
const CONTAINER = ['bwrap', '--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc', '--']
/** Owns its process namespace, too: it can name other processes of it as senders. */
const OWNER = ['bwrap', '--dev-bind', '/', '/', '--unshare-user', '--unshare-pid', '--cap-add', 'ALL', '--proc', '/proc', '--']
/** Sees a game, the socket, and what Flatpak wrote of the application that runs. */
const PASSING = ['bwrap', '--ro-bind', SHARED, SHARED, '--bind', SOCKET, SOCKET]
/** Scripts are files, because systemd replaces variables in a command line. */
const SCRIPTS = {
  // Enters the control group of its first argument, which it may have to make, and becomes the rest of them.
  enter: 'mkdir -p "$1" && echo $$ >"$1/cgroup.procs" && shift && exec "$@"',
  // Holds mount namespaces for some seconds, so that one of them has the number of its first argument, and runs the rest of them there.
  collide: `exec 3<&0
    for try in $(seq 100); do
      unshare --mount sh -c '[ "$(readlink /proc/self/ns/mnt)" = "$0" ] && exec "$@"; exec sleep 5' "$@" <&3 &
    done
    wait`,
  // Mounts the control groups below its own, and becomes its arguments.
  own: `exec unshare --user --map-root-user --mount --cgroup sh -c 'mount -t cgroup2 none /mnt && exec "$@"' sh "$@"`,
}
const enter = (group: string): readonly string[] => ['sh', `${SHARED}/enter.sh`, group]
const COLLIDE = ['unshare', '--user', '--map-root-user', 'sh', `${SHARED}/collide.sh`]
const OWN_GROUPS = ['sh', `${SHARED}/own.sh`]
const SILENT = { evt: null, data: { user: { username: 'ada' } } }
const REFUSED = { evt: 'ERROR', data: { code: 5000, message: expect.stringContaining('access_denied') as string } }
const UNIT = /^0::(\/user\.slice\/user-1000\.slice\/user@1000\.service\/app\.slice\/app-flatpak-org\.example\.Game-\d+\.scope)$/m

describe('containers in a booted system', () => {
  let obstacle: string | undefined
  let at: Installed

  beforeAll(async () => {
    obstacle = await obstacleToInstalled()
    if (obstacle !== undefined) return
    at = await Installed.start()
    installApplications(at)
    copyFileSync(join(at.shared, 'game'), join(at.shared, 'thief'))
    for (const [name, text] of Object.entries(SCRIPTS)) writeFileSync(join(at.shared, `${name}.sh`), text)
  }, PREPARE_MS)
  beforeEach((context) => {
    context.skip(obstacle !== undefined, obstacle)
    at.stopBridge('allow')
  })
  afterEach(() => at.endPrograms())
  afterAll(() => at?.stop())

  test.each([SOCKET, `/run/user/1000/${CLIENT_FOLDER}/discord-ipc-0`])('a game in Flatpak is its application, at %s', async (socket) => {
    await at.greet(at.machine.inUnit())
    await at.greet(inFlatpak(at), GAME_OF_APPLICATION, socket)
    expect(at.seen()).toMatchObject({ program: FLATPAK, group: expect.stringMatching(UNIT) as string })
  })

  test('a grant of a Flatpak application is for its next start, and for no other', async () => {
    expect(await signIn(await at.greet(inFlatpak(at), GAME_OF_APPLICATION))).toHaveProperty('data.access_token')
    await at.endPrograms()
    at.stopBridge('deny')
    expect(await (await at.greet(inFlatpak(at), GAME_OF_APPLICATION)).call('AUTHENTICATE', {})).toMatchObject(SILENT)
    expect(at.machine.run('player', PROGRAM, 'grants')).toContain(`${FLATPAK} `)
    const other = await at.greet(inFlatpak(at, OTHER_APPLICATION), GAME_OF_APPLICATION)
    expect(await other.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
    const outside = await at.greet(at.machine.inUnit())
    expect(await outside.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
  })

  const CONFINED: readonly (readonly [name: string, by: () => readonly string[], program: string, shown: string])[] = [
    ['Flatpak', () => inFlatpak(at), GAME_OF_APPLICATION, FLATPAK],
    ['bubblewrap', () => [...at.machine.inUnit(), ...CONTAINER], GAME, ELSE],
    ['a unit with NoNewPrivileges', () => at.machine.inUnit('NoNewPrivileges=yes'), GAME, ELSE],
    ['a unit with a mount namespace', () => at.machine.inUnit('PrivateUsers=yes', 'ProtectHome=read-only'), GAME, ELSE],
  ]
  test.each(CONFINED)('a game in %s names no file and no command', async (_, by, program, shown) => {
    const game = await at.greet(by(), program)
    at.machine.run('player', 'env', `SALLYPORT_BOT_TOKEN=sandbox-bot-${OURS.client_id}`, PROGRAM, 'login', '--bot')
    const file = await game.call('CREATE_MESSAGE', { channel_id: '1', files: [{ path: '/home/player/.profile' }] })
    expect(file).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'files[0].path' } })
    const command = await game.call('REGISTER_LAUNCH_COMMAND', { command: '/usr/bin/touch /home/player/escaped' })
    expect(command).toMatchObject({ evt: 'ERROR', data: { code: 4000, path: 'command' } })
    expect(at.seen()).toMatchObject({ program: shown, group: expect.stringContaining(`0::${APPLICATIONS}/`) as string })
  })

  test('a grant of a Flatpak application is not for its file in another container, and no other container keeps one', async () => {
    expect(await signIn(await at.greet(inFlatpak(at), GAME_OF_APPLICATION))).toHaveProperty('data.access_token')
    await at.endPrograms()
    const files = `/home/player/.local/share/flatpak/app/${APPLICATION}/current/active/files`
    const ofItsFile = () => [...at.machine.inUnit(), ...PASSING, '--ro-bind', files, '/app', '--']
    const expectRefusal = async () => {
      at.stopBridge('deny')
      expect(await (await at.greet(ofItsFile(), GAME_OF_APPLICATION)).call('AUTHENTICATE', {})).toMatchObject(REFUSED)
      await at.endPrograms()
    }
    await expectRefusal()
    at.stopBridge('allow')
    expect(await signIn(await at.greet(ofItsFile(), GAME_OF_APPLICATION))).toMatchObject({ data: { kept: false } })
    await at.endPrograms()
    await expectRefusal()
  })

  test('a pipe in place of a file that the bridge could read does not stop it', async () => {
    const mounts = ['--bind', '/tmp/pipe', '/.flatpak-info']
    at.machine.run('player', 'mkfifo', '/tmp/pipe')
    const group = `/sys/fs/cgroup${APPLICATIONS}/app-flatpak-${APPLICATION}-1.scope`
    const thief = await at.greet([...at.machine.inUnit(), ...CONTAINER, ...enter(group), ...PASSING, ...mounts, '--'])
    expect(await thief.call('GET_BRIDGE_STATUS')).toHaveProperty('evt', null)
  })

  test('the number of the mount namespace of an application that has ended is worth nothing in its group', async () => {
    const game = await at.greet(inFlatpak(at), GAME_OF_APPLICATION)
    expect(await signIn(game)).toHaveProperty('data.access_token')
    const { pid, group } = at.seen()
    const namespace = at.machine.run('root', 'readlink', `/proc/${pid}/ns/mnt`).trim()
    await at.endPrograms()
    at.stopBridge('deny')
    const there = enter(`/sys/fs/cgroup${UNIT.exec(group)?.[1]}`)
    const thief = await at.greet([...at.machine.inUnit(), ...there, ...COLLIDE, namespace])
    expect(at.machine.run('root', 'readlink', `/proc/${await thief.connector}/ns/mnt`).trim()).toBe(namespace)
    expect(await thief.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
  })

  test('a process that becomes an allowed game, and whose child speaks for it, gets nothing', async () => {
    expect(await signIn(await at.greet(at.machine.inUnit()))).toHaveProperty('data.access_token')
    await at.endPrograms()
    at.stopBridge('deny')
    expect(await (await at.greet(at.machine.inUnit())).call('AUTHENTICATE', {}), 'the game').toMatchObject(SILENT)
    await at.endPrograms()
    at.systemctl('kill', '--signal=STOP', SERVICE)
    const thief = at.open([...at.machine.inUnit(), ...OWNER], `${SHARED}/thief`, SOCKET, ['--forge', '--leave', GAME])
    await expect.poll(() => at.machine.run('root', 'sh', '-c', 'readlink /proc/[0-9]*/exe || :')).toContain(`${GAME}\n`)
    at.systemctl('kill', '--signal=CONT', SERVICE)
    await at.welcomed(thief)
    expect(await thief.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
  })

  describe('that pass for an application while it runs', () => {
    beforeEach(async () => {
      expect(await signIn(await at.greet(inFlatpak(at), GAME_OF_APPLICATION))).toHaveProperty('data.access_token')
      await at.endPrograms()
      at.stopBridge('deny')
      const game = await at.greet(inFlatpak(at), GAME_OF_APPLICATION)
      expect(await game.call('AUTHENTICATE', {})).toMatchObject(SILENT)
      const info = join(`/proc/${at.seen().pid}/root`, '.flatpak-info')
      writeFileSync(join(at.shared, 'info'), readFileSync(at.machine.path(info)))
    })

    const passes = [...PASSING, '--ro-bind', `${SHARED}/info`, '/.flatpak-info', '--']
    const running = () => UNIT.exec(at.seen().group)?.[1] ?? ''

    test.each([
      { name: 'by the file alone', by: () => [...at.machine.inUnit(), ...passes] },
      {
        name: 'in a group of a subtree of their own',
        by: () => [...at.machine.inUnit('Delegate=yes'), ...OWN_GROUPS, ...enter(`/mnt/app-flatpak-${APPLICATION}-1.scope`), ...passes],
      },
      {
        name: 'in a group in the place of applications',
        by: () => [
          ...at.machine.inUnit(),
          ...CONTAINER,
          ...enter(`/sys/fs/cgroup${APPLICATIONS}/app-flatpak-${APPLICATION}-1.scope`),
          ...passes,
        ],
      },
      {
        name: 'in the group of that application',
        by: () => [...at.machine.inUnit(), ...CONTAINER, ...enter(`/sys/fs/cgroup${running()}`), ...passes],
      },
    ])('$name get nothing', async ({ by }) => {
      const thief = await at.greet(by())
      expect(await thief.call('AUTHENTICATE', {})).toMatchObject(REFUSED)
      expect(at.seen().program).toBe(ELSE)
    })
  })
})
