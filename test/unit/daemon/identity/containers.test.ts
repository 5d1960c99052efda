import { describe, expect, test } from 'vitest'
import { containerOf } from '#daemon/src/identity/containers.ts'
import { procOf, statusOf } from './fake-proc.ts'

const LINKS = { '/proc/7/ns/mnt': 'mnt:[2]' }
const OTHER = { kind: 'other', id: 'mnt:[2]' }
const INFO_FILE = ['/proc/7/root', '.flatpak-info'].join('/')
const info = (id: string) => `[Application]\nname=${id}\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=12\n`
const APPS = '/user.slice/user-1000.slice/user@1000.service/app.slice'
const FLATPAK = `${APPS}/app-flatpak-org.example.Game-4711.scope`
const SNAP = `${APPS}/snap.game.game-0b7d2c4e-93a1-4f55-8a36-1d1d9c5c2f10.scope`

/** Lines of control groups as the kernel writes them: systemd's own hierarchy beside others, only it, or the common one. */
const V2 = (path: string) => `0::${path}\n`
const V1 = (path: string) => `12:pids:/user.slice/user-1000.slice\n1:name=systemd:${path}\n0::/user.slice\n`

/** A sandbox as Flatpak makes it: no control groups are mounted in it. */
const MOUNTS = `1 0 0:50 / / ro,nosuid,nodev,relatime - tmpfs tmpfs rw\n2 1 0:51 / /proc rw,nosuid - proc proc rw\n`
const groupsAt = (options: string, type = 'cgroup2') =>
  `${MOUNTS}3 1 0:27 / /sys/fs/cgroup ${options} shared:4 - ${type} ${type} rw,nsdelegate\n`

const of = (files: Record<string, string>) =>
  containerOf(7, procOf({ links: LINKS, files: { '/proc/7/status': statusOf(), '/proc/7/mountinfo': MOUNTS, ...files } }))

describe('a Flatpak application', () => {
  const at = (group: string, more: Record<string, string> = {}, id = 'org.example.Game') =>
    of({ [INFO_FILE]: info(id), '/proc/7/cgroup': V2(group), ...more })

  test('is known by its id in the control group that the manager of the user made for it', () => {
    expect(at(FLATPAK)).toEqual({ kind: 'flatpak', id: 'org.example.Game' })
    expect(at(FLATPAK, { '/proc/7/cgroup': V1(FLATPAK) })).toEqual({ kind: 'flatpak', id: 'org.example.Game' })
    const readable = { '/proc/7/mountinfo': groupsAt('ro,nosuid') }
    expect(at(FLATPAK, readable), 'with control groups that it can only read').toMatchObject({ kind: 'flatpak' })
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

  test('is none where it could leave its control group', () => {
    expect(at(FLATPAK, { '/proc/7/mountinfo': groupsAt('rw,nosuid') })).toEqual(OTHER)
    expect(at(FLATPAK, { '/proc/7/mountinfo': groupsAt('rw', 'cgroup') })).toEqual(OTHER)
    expect(at(FLATPAK, { '/proc/7/mountinfo': '' }), 'that cannot be looked at').toEqual(OTHER)
  })

  test('is none by its file alone, by the common hierarchy beside that of systemd, or without its file', () => {
    expect(at(FLATPAK, { '/proc/7/cgroup': '' })).toEqual(OTHER)
    expect(at(FLATPAK, { '/proc/7/cgroup': `1:name=systemd:/docker/1\n0::${FLATPAK}\n` })).toEqual(OTHER)
    expect(of({ '/proc/7/cgroup': V2(FLATPAK) })).toEqual(OTHER)
  })
})

describe('a Snap application', () => {
  const at = (label: string, group = SNAP) => of({ '/proc/7/attr/current': label, '/proc/7/cgroup': V2(group) })

  test('is known by the label of the security module, in the control group of its launcher', () => {
    expect(at('snap.game.game (enforce)\n')).toEqual({ kind: 'snap', id: 'game' })
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
