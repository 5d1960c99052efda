import { describe, expect, test } from 'vitest'
import { containerOf } from '#daemon/src/identity/containers.ts'
import { procOf, statusOf } from './fake-proc.ts'

const LINKS = { '/proc/7/ns/mnt': 'mnt:[2]' }
const OTHER = { kind: 'other', id: 'mnt:[2]' }
/** What Flatpak notes of a running sandbox. */
const noted = (id: string, { namespace = 2, instance = '12' } = {}) => ({
  [`/run/user/1000/.flatpak/${instance}/info`]: `[Application]\nname=${id}\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=12\n`,
  [`/run/user/1000/.flatpak/${instance}/bwrapinfo.json`]: `{\n    "child-pid": 158,\n    "mnt-namespace": ${namespace},\n    "pid-namespace": 9\n}`,
})
const APPS = '/user.slice/user-1000.slice/user@1000.service/app.slice'
const FLATPAK = `${APPS}/app-flatpak-org.example.Game-4711.scope`
const SNAP = `${APPS}/snap.game.game-0b7d2c4e-93a1-4f55-8a36-1d1d9c5c2f10.scope`

/** The file that the first process of the sandbox, 158, locks for its life. */
const refOf = (instance: string) => `/run/user/1000/.flatpak/${instance}/.ref`
const lockedBy = (pid: number, file: string) => ({
  '/proc/locks': `1: POSIX  ADVISORY  READ 158 00:01:43 0 EOF\n2: POSIX  ADVISORY  READ ${pid} ${file} 0 EOF\n3: OFDLCK ADVISORY  READ -1 fe:00:65 0 EOF\n`,
})
const ALIVE = lockedBy(158, '00:01:65')

/** Lines of control groups as the kernel writes them: systemd's own hierarchy beside others, only it, or the common one. */
const V2 = (path: string) => `0::${path}\n`
const V1 = (path: string) => `12:pids:/user.slice/user-1000.slice\n1:name=systemd:${path}\n0::/user.slice\n`

/** No control groups are mounted. */
const MOUNTS = `1 0 0:50 / / ro,nosuid,nodev,relatime - tmpfs tmpfs rw\n2 1 0:51 / /proc rw,nosuid - proc proc rw\n`
const groupsAt = (options: string, type = 'cgroup2') =>
  `${MOUNTS}3 1 0:27 / /sys/fs/cgroup ${options} shared:4 - ${type} ${type} rw,nsdelegate\n`

const of = (files: Record<string, string>) =>
  containerOf(
    7,
    procOf({
      links: LINKS,
      stats: { [refOf('12')]: { ino: 65n }, [refOf('org.example.Game')]: { ino: 65n } },
      files: { '/proc/7/status': statusOf(), ...files },
    }),
  )

describe('a Flatpak application', () => {
  const at = (group: string, more: Record<string, string> = {}, id = 'org.example.Game') =>
    of({ ...noted(id), ...ALIVE, '/proc/7/cgroup': V2(group), ...more })

  test('is known by its id in the control group that the manager of the user made for it', () => {
    expect(at(FLATPAK)).toEqual({ kind: 'flatpak', id: 'org.example.Game' })
    expect(at(FLATPAK, { '/proc/7/cgroup': V1(FLATPAK) })).toEqual({ kind: 'flatpak', id: 'org.example.Game' })
    const others = {
      ...noted('org.example.Bank', { namespace: 5, instance: '11' }),
      ...noted('org.example.Bank', { instance: 'org.example.Game' }),
    }
    expect(at(FLATPAK, others), 'among others').toMatchObject({ kind: 'flatpak' })
  })

  test('is known where the machine of a booted container has hierarchies of v1', () => {
    expect(at(FLATPAK, { '/proc/7/cgroup': `9:name=systemd:/\n8:pids:/\n0::${FLATPAK}\n` })).toMatchObject({ kind: 'flatpak' })
  })

  test('may have a name that the manager must escape', () => {
    const id = 'org.example.my-game'
    expect(at(`${APPS}/app-flatpak-org.example.my\\x2dgame-1.scope`, {}, id)).toEqual({ kind: 'flatpak', id })
  })

  test.each([
    [
      'below the group of a container',
      `/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-1.scope/app-flatpak-org.example.Game-1.scope`,
    ],
    ['below a group in the place of applications', `${APPS}/libpod-1.scope/app-flatpak-org.example.Game-1.scope`],
    ['below its own', `${FLATPAK}/app-flatpak-org.example.Game-1.scope`],
    ['with a copy of the path below its own', `${APPS}/mine.scope${FLATPAK}`],
    ['at the root', '/app-flatpak-org.example.Game-1.scope'],
    ['of docker', `/docker/1/app-flatpak-org.example.Game-1.scope`],
    ['of a system service', `/system.slice/game.service/app-flatpak-org.example.Game-1.scope`],
    ['of another user', FLATPAK.replaceAll('1000', '1001')],
    ['of the manager of another user', FLATPAK.replace('user@1000', 'user@1001')],
    ['with more behind its name', `${FLATPAK}.d`],
    ['above ours', `/../..${FLATPAK}`],
    ['of another application', FLATPAK.replace('Game', 'Bank')],
    ['whose escapes hide another path', `${APPS}/app-flatpak-org.example.Game\\x2f-1.scope`],
  ])('is none in a group %s', (_, group) => {
    expect(at(group)).toEqual(OTHER)
  })

  test('is none by the note of Flatpak alone, or by the common hierarchy beside that of systemd', () => {
    expect(at(FLATPAK, { '/proc/7/cgroup': '' })).toEqual(OTHER)
    expect(at(FLATPAK, { '/proc/7/cgroup': `1:name=systemd:/docker/1\n0::${FLATPAK}\n` })).toEqual(OTHER)
  })

  test.each([
    ['that notes nothing', {}],
    ['that notes another mount namespace', noted('org.example.Game', { namespace: 3 })],
    ['that notes a sandbox that has ended', { ...noted('org.example.Game'), '/proc/locks': '' }],
    ['that notes a sandbox whose lock another process has', { ...noted('org.example.Game'), ...lockedBy(15, '00:01:65') }],
    ['that notes a sandbox whose first process locks another file', { ...noted('org.example.Game'), ...lockedBy(158, '00:01:650') }],
    ['that notes a sandbox whose first process locks a file elsewhere', { ...noted('org.example.Game'), ...lockedBy(158, '00:21:65') }],
    ['that notes a sandbox without a file to lock', noted('org.example.Game', { instance: '13' })],
    ['that notes another application', noted('org.example.Bank')],
    ['in a folder that a sandbox can write to', noted('org.example.Game', { instance: 'org.example.Game' })],
    ['in a file of its own', { '/proc/7/root/.flatpak-info': '[Application]\nname=org.example.Game\n' }],
  ])('is none without Flatpak, %s', (_, files) => {
    expect(of({ ...ALIVE, '/proc/7/cgroup': V2(FLATPAK), ...files })).toEqual(OTHER)
  })
})

describe('a Snap application', () => {
  const LABEL = 'snap.game.game (enforce)\n'
  const at = (label: string, group = SNAP, mounts = MOUNTS) =>
    of({ '/proc/7/attr/current': label, '/proc/7/cgroup': V2(group), '/proc/7/mountinfo': mounts })

  test('is known by the label of the security module, in the control group of its launcher', () => {
    expect(at(LABEL)).toEqual({ kind: 'snap', id: 'game' })
    expect(at(LABEL, SNAP, groupsAt('ro,nosuid')), 'with control groups that it can only read').toMatchObject({ kind: 'snap' })
  })

  test('is none where it could leave its control group', () => {
    expect(at(LABEL, SNAP, groupsAt('rw,nosuid'))).toEqual(OTHER)
    expect(at(LABEL, SNAP, groupsAt('rw', 'cgroup'))).toEqual(OTHER)
    expect(at(LABEL, SNAP, ''), 'that cannot be looked at').toEqual(OTHER)
  })

  test.each([
    ['with the label of another', 'snap.bank.bank (enforce)\n', SNAP],
    ['with a profile that denies nothing', 'snap.game.game (complain)\n', SNAP],
    ['with a label of its own namespace', ':mine:snap.game.game (enforce)\n', SNAP],
    ['without a label', 'unconfined\n', SNAP],
    ['in no group of a launcher', 'snap.game.game (enforce)\n', '/user.slice/user-1000.slice/session-2.scope'],
    ['below another group', 'snap.game.game (enforce)\n', `${APPS}/mine.scope/snap.game.game-0b7d2c4e-93a1-4f55-8a36-1d1d9c5c2f10.scope`],
  ])('is none %s', (_, label, group) => {
    expect(at(label, group)).toEqual(OTHER)
  })
})
