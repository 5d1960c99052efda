import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { programContents } from '#daemon/src/identity/content.ts'
import type { ProcessHandle } from '#daemon/src/identity/process-handle.ts'
import { fileAt } from '#daemon/src/identity/file-identity.ts'
import {
  compareFiles,
  type FileIdentity,
  isInOtherWine,
  isSamePath,
  isSameProgram,
  programKey,
  type ProgramFacts,
  programOf,
} from '#daemon/src/identity/program.ts'
import { programText } from '#daemon/src/identity/program-text.ts'
import { BRIDGE_IN_PREFIX, wineProgram } from '#daemon/src/identity/wine-program.ts'

let folder: string
let game: string
let loader: FileIdentity
let pipeBridge: ProgramFacts
beforeEach(() => {
  // The files are older than the step of the kernel's clock.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'wine-')))
  game = join(folder, 'drive_c/game.exe')
  const path = join(folder, BRIDGE_IN_PREFIX)
  mkdirSync(join(path, '..'), { recursive: true })
  const wine = join(folder, 'compatibilitytools.d/GE-Proton9-1/files/bin/wine64')
  mkdirSync(join(wine, '..'), { recursive: true })
  for (const file of [game, path, wine]) writeFileSync(file, file)
  loader = { executable: wine, file: fileAt(wine) ?? '' }
  pipeBridge = { uid: 7, kind: 'script', executable: path, file: fileAt(path) ?? '', interpreter: loader }
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

const claimed = (file: string, bridge = pipeBridge) => wineProgram(bridge, { program: String.raw`C:\game.exe`, file })

test('a program is its file, the pipe bridge that named it, and the Wine that runs this bridge', () => {
  const link = join(folder, 'link')
  symlinkSync(game, link)
  const facts = claimed(link)
  expect(facts).toEqual({
    uid: 7,
    kind: 'wine',
    executable: game,
    file: fileAt(game),
    interpreter: { executable: pipeBridge.executable, file: pipeBridge.file },
    loader,
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

test('another Wine at the same prefix runs another program, at the same path', () => {
  const program = programOf(claimed(game) ?? {})
  const by = (other: FileIdentity) => programOf(claimed(game, { ...pipeBridge, interpreter: other }) ?? {})
  const [device, inode, size, mtime] = loader.file.split(':')
  const others = [
    { ...loader, executable: loader.executable.replace('9-1', '9-2') },
    { ...loader, file: [device, Number(inode) + 1, size, mtime, 5].join(':') },
  ]
  for (const other of others) {
    expect(isSameProgram(program, by(other))).toBe(false)
    expect(isInOtherWine(program, by(other))).toBe(true)
  }
  expect(isInOtherWine(program, program)).toBe(false)
  const touched = by({ ...loader, file: [device, inode, size, mtime, 5].join(':') })
  expect(compareFiles(program, touched)).toBe('ctime-changed')
  // A version that did not store the loader.
  expect(isInOtherWine({ ...program, loader: undefined }, program)).toBe(true)
  const changed = programOf({ ...claimed(game), file: '9:9:9:9:9' })
  expect(isInOtherWine(program, { ...changed, loader: others[0] })).toBe(false)
})

test('the programs of one prefix are counted as one, also under false names', () => {
  expect(programKey(programOf(claimed('/usr/bin/env') ?? {}))).toBe(programKey(programOf(claimed(game) ?? {})))
})

test('its content is that of the bridge, of the program and of the Wine that runs', async () => {
  const facts = claimed(game) ?? {}
  const digest = await programContents().of(facts)
  expect(digest).toMatch(/^[0-9a-f]{64}(?:\+[0-9a-f]{64}){2}$/)
  writeFileSync(game, 'other content')
  expect(await programContents().of(facts)).toBeUndefined()
  const [bridge, , wine] = digest?.split('+') ?? []
  const now = (await programContents().of(claimed(game) ?? {}))?.split('+')
  expect([now?.[0], now?.[2]]).toEqual([bridge, wine])
  writeFileSync(loader.executable, 'another build')
  expect(await programContents().of(claimed(game) ?? {})).toBeUndefined()
  const image = join(folder, 'image')
  writeFileSync(image, 'what runs')
  const running = { ...claimed(game), loader: { ...loader, file: fileAt(image) ?? '' } }
  expect((await programContents().of({ ...running, process: { imagePath: image } as ProcessHandle }))?.split('+')).toHaveLength(3)
})

test('a program whose file is not found is unknown', () => {
  for (const file of ['', 'game.exe', join(folder, 'none'), folder])
    expect(claimed(file)).toEqual({ uid: 7, kind: 'unknown', executable: String.raw`C:\game.exe` })
  expect(statSync(folder).isDirectory()).toBe(true)
})

test('a file with the name of Wine elsewhere names no program', () => {
  const copy = { executable: join(folder, 'wine64'), file: '1:2:3:4:5' }
  const facts = claimed(game, { ...pipeBridge, interpreter: copy })
  expect(facts).toEqual({ uid: 7, kind: 'unknown', executable: copy.executable })
  expect(programText(programOf(facts ?? {}))).toBe(`a program that cannot be identified, because ${copy.executable} runs it`)
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
