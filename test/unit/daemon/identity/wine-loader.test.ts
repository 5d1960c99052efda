import { expect, test } from 'vitest'
import { isWineLoader } from '#daemon/src/identity/wine-loader.ts'

const FOLDER = 0o40_755
const FILE = 0o100_755

/** `changed`: paths whose owner or mode is not root's usual one. */
const onDisk =
  (changed: Readonly<Record<string, { uid?: number; mode?: number }>> = {}) =>
  (path: string) => ({ uid: 0, mode: path.includes('wine64') ? FILE : FOLDER, ...changed[path] })

const missing = (): never => {
  throw new Error('ENOENT')
}

test.each([
  '/usr/lib/wine/wine64',
  '/usr/bin/wine',
  '/opt/wine-staging/bin/wine64-preloader',
  '/usr/lib/x86_64-linux-gnu/wine/x86_64-unix/wine',
])('%s is Wine where only root writes', (path) => {
  expect(isWineLoader(path, onDisk())).toBe(true)
  expect(isWineLoader(path, missing)).toBe(false)
})

const LOADER = '/usr/lib/wine/wine64'

test.each([
  ['the file of a user', { [LOADER]: { uid: 1000 } }],
  ['a file that all may write', { [LOADER]: { mode: 0o100_757 } }],
  ['a file that a group may write', { [LOADER]: { mode: 0o100_775 } }],
  ['the folder of a user', { '/usr/lib/wine': { uid: 1000 } }],
  ['a folder of a user further up', { '/usr': { uid: 1000 } }],
  ['a folder that a group may write', { '/usr/lib': { mode: 0o40_775 } }],
])('it is none in %s', (_, changed) => {
  expect(isWineLoader(LOADER, onDisk(changed))).toBe(false)
})

test('a shared folder in which each user owns what is theirs is no obstacle', () => {
  const path = '/nix/store/4nsy-wine-10.0/bin/wine64'
  expect(isWineLoader(path, onDisk({ '/nix/store': { mode: 0o41_775 } }))).toBe(true)
})

const HOME = '/home/mia'

test.each([
  `${HOME}/.steam/debian-installation/compatibilitytools.d/GE-Proton9-1/files/bin/wine64-preloader`,
  `${HOME}/.local/share/Steam/steamapps/common/Proton 9.0 (Beta)/files/bin/wine64`,
  `${HOME}/.local/share/Steam/steamapps/common/Proton - Experimental/files/lib/wine/x86_64-unix/wine`,
  `${HOME}/.local/share/Steam/steamapps/common/Proton 5.0/dist/bin/wine64`,
  `${HOME}/.local/share/lutris/runners/wine/lutris-GE-Proton8-26-x86_64/bin/wine64`,
  `${HOME}/.config/heroic/tools/proton/GE-Proton9-1/files/bin-wow64/wine`,
  `${HOME}/.local/share/bottles/runners/soda-9.0-1/bin/wine64`,
])('%s is a Wine of the user', (path) => expect(isWineLoader(path, missing)).toBe(true))

test.each([
  `${HOME}/wine64`,
  `${HOME}/compatibilitytools.d/wine64`,
  `${HOME}/.steam/steamapps/common/Portal/bin/wine64`,
  `${HOME}/compatibilitytools.d/GE-Proton9-1/files/bin/more/wine64`,
  '/usr/lib/wine/wineserver',
  '/usr/bin/env',
])('%s is none', (path) => expect(isWineLoader(path, path.startsWith(HOME) ? missing : onDisk())).toBe(false))
