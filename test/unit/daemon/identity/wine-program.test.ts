import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { programContents } from '#daemon/src/identity/content.ts'
import { fileAt } from '#daemon/src/identity/file-identity.ts'
import { isSamePath, isSameProgram, programKey, type ProgramFacts, programOf } from '#daemon/src/identity/program.ts'
import { programText } from '#daemon/src/identity/program-text.ts'
import { BRIDGE_IN_PREFIX, wineProgram } from '#daemon/src/identity/wine-program.ts'

let folder: string
let game: string
let pipeBridge: ProgramFacts
beforeEach(() => {
  // The files are older than the step of the kernel's clock.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wine-')))
  game = join(folder, 'drive_c/game.exe')
  const path = join(folder, BRIDGE_IN_PREFIX)
  mkdirSync(join(path, '..'), { recursive: true })
  for (const file of [game, path]) writeFileSync(file, file)
  const loader = { executable: '/usr/lib/wine/wine64', file: '1:2:3:4:5' }
  pipeBridge = { uid: 7, kind: 'script', executable: path, file: fileAt(path) ?? '', interpreter: loader }
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const claimed = (file: string, bridge = pipeBridge) => wineProgram(bridge, { program: String.raw`C:\game.exe`, file })

test('a program is its file and the pipe bridge that named it', () => {
  const link = join(folder, 'link')
  symlinkSync(game, link)
  const facts = claimed(link)
  expect(facts).toEqual({
    uid: 7,
    kind: 'wine',
    executable: game,
    file: fileAt(game),
    interpreter: { executable: pipeBridge.executable, file: pipeBridge.file },
  })
  expect(programText(programOf(facts ?? {}))).toBe(`a Windows program in Wine (prefix ${folder}): ${game}`)
})

test('it never equals a program that the kernel identified, nor one of another prefix', () => {
  const program = programOf(claimed(game) ?? {})
  const file = fileAt(game)
  expect(isSameProgram(program, programOf(claimed(game) ?? {}))).toBe(true)
  const native = programOf({ uid: 7, kind: 'native', executable: game, ...(file === undefined ? {} : { file }) })
  const script = { ...program, kind: 'script' } as const
  const elsewhere = programOf(claimed(game, { ...pipeBridge, executable: join('/other', BRIDGE_IN_PREFIX), file: '9:9:9:9:9' }) ?? {})
  for (const other of [native, script, elsewhere]) {
    expect(isSamePath(program, other)).toBe(false)
    expect(programKey(program)).not.toBe(programKey(other))
  }
})

test('the programs of one prefix are counted as one, also under false names', () => {
  expect(programKey(programOf(claimed('/usr/bin/env') ?? {}))).toBe(programKey(programOf(claimed(game) ?? {})))
})

test('its content is that of the bridge and of the program', async () => {
  const facts = claimed(game) ?? {}
  const digest = await programContents().of(facts)
  expect(digest).toMatch(/^[0-9a-f]{64}\+[0-9a-f]{64}$/)
  writeFileSync(game, 'other content')
  expect(await programContents().of(facts)).toBeUndefined()
  expect((await programContents().of(claimed(game) ?? {}))?.split('+')[0]).toBe(digest?.split('+')[0])
})

test('a program whose file is not found is unknown', () => {
  for (const file of ['', 'game.exe', join(folder, 'none'), folder])
    expect(claimed(file)).toEqual({ uid: 7, kind: 'unknown', executable: String.raw`C:\game.exe` })
  expect(statSync(folder).isDirectory()).toBe(true)
})

describe('a peer that may not name programs', () => {
  test.each<[string, ProgramFacts]>([
    ['a native program', { kind: 'native', executable: '/games/one', file: '1:2:3:4:5' }],
    [
      'a script of another interpreter',
      { kind: 'script', executable: '/a.py', file: '1:2:3:4:5', interpreter: { executable: '/usr/bin/python3', file: '1:1:1:1:1' } },
    ],
    ['an unknown program', { kind: 'unknown', executable: '/usr/lib/wine/wine64' }],
    ['a program that has ended', {}],
  ])('%s', (_, facts) => {
    expect(claimed(game, facts)).toBeUndefined()
  })

  test('an application in a container stays the application', () => {
    const flatpak: ProgramFacts = { uid: 7, kind: 'container', container: 'flatpak', executable: 'org.games.One' }
    expect(claimed(game, flatpak)).toBe(flatpak)
  })

  test('another container keeps its file, and the path is a claim as before', () => {
    const proton: ProgramFacts = { uid: 7, kind: 'container', container: 'other', executable: '/proton/wine64', file: 'mnt:[4]:1:2:3:4:5' }
    expect(claimed(game, proton)).toEqual({ ...proton, executable: String.raw`C:\game.exe` })
    expect(wineProgram(proton, { program: '', file: '' })).toBe(proton)
  })
})
