import { expect, test } from 'vitest'
import { containerOf, seesSameFiles } from '#daemon/src/identity/containers.ts'
import { procOf } from './fake-proc.ts'

const NS = { '/proc/7/ns/mnt': 'mnt:[2]', '/proc/7/root': '/', '/proc/self/ns/mnt': 'mnt:[1]', '/proc/self/root': '/' }
const INFO_FILE = ['/proc/7/root', '.flatpak-info'].join('/')
const INFO = '[Application]\nname=org.example.Game\nruntime=runtime/org.example.Platform/x86_64/1\n\n[Instance]\ninstance-id=12\n'
const GROUP = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.example.Game-4711.scope\n'

test('a Flatpak application is known by its id when its sandbox and its control group say the same', () => {
  const proc = procOf({ links: NS, files: { [INFO_FILE]: INFO, '/proc/7/cgroup': GROUP } })
  expect(containerOf(7, proc)).toEqual({ kind: 'flatpak', id: 'org.example.Game' })
})

test('a file that says Flatpak is not believed alone, nor against the control group', () => {
  const alone = procOf({ links: NS, files: { [INFO_FILE]: INFO, '/proc/7/cgroup': '0::/user.slice\n' } })
  expect(containerOf(7, alone)).toEqual({ kind: 'other', id: 'mnt:[2]' })
  const other = { [INFO_FILE]: INFO.replace('Game', 'Bank'), '/proc/7/cgroup': GROUP }
  expect(containerOf(7, procOf({ links: NS, files: other }))).toEqual({ kind: 'other', id: 'mnt:[2]' })
})

test('a Snap application is known by the label of the security module', () => {
  const files = { '/proc/7/attr/current': 'snap.game.game (enforce)\n', '/proc/7/cgroup': '0::/user.slice/snap.game.game-1f.scope\n' }
  expect(containerOf(7, procOf({ links: NS, files }))).toEqual({ kind: 'snap', id: 'game' })
  const other = { ...files, '/proc/7/cgroup': '0::/snap.bank.bank-1f.scope\n' }
  expect(containerOf(7, procOf({ links: NS, files: other })).kind).toBe('other')
})

test('any other container is its mount namespace', () => {
  expect(containerOf(7, procOf({ links: NS }))).toEqual({ kind: 'other', id: 'mnt:[2]' })
})

test('a process sees the same files when namespace and root are ours', () => {
  expect(seesSameFiles(7, procOf({ links: NS }))).toBe(false)
  expect(seesSameFiles(7, procOf({ links: { ...NS, '/proc/7/ns/mnt': 'mnt:[1]' } }))).toBe(true)
  expect(seesSameFiles(7, procOf({ links: { ...NS, '/proc/7/ns/mnt': 'mnt:[1]', '/proc/7/root': '/jail' } }))).toBe(false)
})
