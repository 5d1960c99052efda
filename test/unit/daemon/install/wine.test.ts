import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { carryOut } from '#daemon/src/install/carry-out.ts'
import { withValue } from '#daemon/src/install/registry-file.ts'
import { stepText } from '#daemon/src/install/steps.ts'
import { bridgeOf, planWineInstall, planWineUninstall, registryOf, type WineFacts } from '#daemon/src/install/wine.ts'

const HEAD = 'WINE REGISTRY Version 2\n\n#arch=win64\n\n[Kept]\n"é"="ü"\n'
let prefix: string
let facts: WineFacts
beforeEach(() => {
  prefix = mkdtempSync(join(tmpdir(), 'prefix-'))
  mkdirSync(join(prefix, 'drive_c/windows'), { recursive: true })
  writeFileSync(registryOf(prefix), HEAD, { encoding: 'latin1', mode: 0o640 })
  const bridge = join(prefix, 'bridge')
  writeFileSync(bridge, 'MZ')
  facts = { prefix, bridge, runtimeDir: undefined, ipcPrefix: 'discord-ipc' }
})
afterEach(() => rmSync(prefix, { recursive: true }))

const VALUE = { key: String.raw`Software\Microsoft\Windows\CurrentVersion\RunServices`, name: 'Sallyport' }
const doAll = async (plan: ReturnType<typeof planWineInstall>) =>
  (
    await carryOut(
      plan.steps,
      async () => false,
      () => {},
    )
  ).map(({ outcome }) => outcome)

test('the program and its value are placed once, and removed', async () => {
  expect(await doAll(planWineInstall(facts))).toEqual(['done', 'done'])
  expect(readFileSync(bridgeOf(prefix), 'utf8')).toBe('MZ')
  expect(statSync(bridgeOf(prefix)).mode & 0o777).toBe(0o755)
  const registry = readFileSync(registryOf(prefix), 'latin1')
  expect(registry.startsWith(HEAD)).toBe(true)
  expect(registry).toBe(withValue(registry, VALUE, String.raw`C:\windows\sallyport-wine.exe --name discord-ipc`))
  expect(statSync(registryOf(prefix)).mode & 0o777).toBe(0o640)
  expect(await doAll(planWineInstall(facts))).toEqual(['unchanged', 'unchanged'])
  expect(await doAll(planWineUninstall(prefix))).toEqual(['done', 'done'])
  expect(readFileSync(registryOf(prefix), 'latin1').replace(/\n\[Software[^\n]*\n\n?$/, '')).toBe(HEAD)
  expect(await doAll(planWineUninstall(prefix))).toEqual(['unchanged', 'unchanged'])
})

test('a newer program replaces the old one, and a chosen folder is in the value', async () => {
  await doAll(planWineInstall(facts))
  writeFileSync(facts.bridge, 'MZ2')
  const plan = planWineInstall({ ...facts, runtimeDir: '/run/my games/', ipcPrefix: 'other-ipc' })
  expect(plan.steps.map(stepText)).toEqual([
    `copy ${facts.bridge} to ${bridgeOf(prefix)}`,
    String.raw`set ${VALUE.key}\Sallyport in ${registryOf(prefix)}: C:\windows\sallyport-wine.exe --folder "/run/my games" --name other-ipc`,
  ])
  expect(await doAll(plan)).toEqual(['done', 'done'])
  expect(readFileSync(bridgeOf(prefix), 'utf8')).toBe('MZ2')
  expect(planWineUninstall(prefix).steps.map(stepText)).toEqual([
    String.raw`remove ${VALUE.key}\Sallyport in ${registryOf(prefix)}`,
    `remove ${bridgeOf(prefix)}`,
  ])
})

describe.skipIf(process.platform !== 'linux')('a link that a program of the prefix puts there after the plan was made', () => {
  let outside: string
  beforeEach(() => {
    outside = mkdtempSync(join(tmpdir(), 'outside-'))
    mkdirSync(join(outside, 'windows'))
    for (const name of ['system.reg', 'sallyport-wine.exe', 'windows/sallyport-wine.exe'])
      writeFileSync(join(outside, name), HEAD, 'latin1')
  })
  afterEach(() => rmSync(outside, { recursive: true }))
  const instead = (path: string, put: () => void): void => {
    rmSync(path, { recursive: true, force: true })
    put()
  }
  const all = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => `${path} ${readFileSync(path, 'latin1')}`)

  test.each([
    ['system.reg', () => instead(registryOf(prefix), () => symlinkSync(join(outside, 'system.reg'), registryOf(prefix)))],
    ['system.reg, a hard one', () => instead(registryOf(prefix), () => linkSync(join(outside, 'system.reg'), registryOf(prefix)))],
    ['the program', () => symlinkSync(join(outside, 'sallyport-wine.exe'), bridgeOf(prefix))],
    ['drive_c', () => instead(join(prefix, 'drive_c'), () => symlinkSync(outside, join(prefix, 'drive_c')))],
    ['windows', () => instead(join(prefix, 'drive_c/windows'), () => symlinkSync(outside, join(prefix, 'drive_c/windows')))],
    [
      'the prefix itself',
      () => {
        renameSync(prefix, `${prefix}-moved`)
        symlinkSync(`${prefix}-moved`, prefix)
      },
    ],
  ])('in the place of %s is not followed, and nothing outside changes', async (_, put) => {
    const before = all(outside)
    put()
    try {
      expect(await doAll(planWineInstall(facts))).toContain('failed')
      expect(all(outside)).toEqual(before)
      // A link in the place of the program is removed itself.
      await doAll(planWineUninstall(prefix))
      expect(all(outside)).toEqual(before)
      expect(all(prefix).join('')).not.toContain('Sallyport"=')
    } finally {
      rmSync(`${prefix}-moved`, { recursive: true, force: true })
    }
  })
})
