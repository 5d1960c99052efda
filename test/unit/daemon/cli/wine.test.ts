import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { wine } from '#daemon/src/cli/wine.ts'
import { isRunning, openPrefix } from '#daemon/src/cli/wine-prefix.ts'
import { bridgeOf, registryOf } from '#daemon/src/install/wine.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

const uid = process.getuid?.()
let folder: string
let prefix: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sp-wine-')))
  prefix = join(folder, 'games')
  mkdirSync(join(prefix, 'drive_c/windows'), { recursive: true })
  writeRegistry('win64')
})
afterEach(() => rmSync(folder, { recursive: true }))

const writeRegistry = (architecture: string): void =>
  writeFileSync(registryOf(prefix), `WINE REGISTRY Version 2\n\n#arch=${architecture}\n`)

async function cli(...words: readonly string[]) {
  const io = fakeIo({ WINEPREFIX: prefix })
  return { code: await runCli(['wine', ...words], io, tableOf(wine)), printed: io.printed.join('\n'), informed: io.said.join('\n') }
}

describe.skipIf(process.platform !== 'linux')('a prefix', () => {
  test('is the folder with the registry, or pfx in it, as Proton has it', () => {
    expect(openPrefix(prefix, uid)).toBe(prefix)
    const steam = join(folder, '620')
    mkdirSync(join(steam, 'pfx/drive_c/windows'), { recursive: true })
    writeFileSync(join(steam, 'pfx/system.reg'), 'WINE REGISTRY Version 2\n#arch=win64\n')
    expect(openPrefix(steam, uid)).toBe(join(steam, 'pfx'))
  })

  test('is refused with a sentence', () => {
    expect(() => openPrefix(folder, uid)).toThrow('is not a Wine prefix')
    expect(() => openPrefix(prefix, (uid ?? 0) + 1)).toThrow('belongs to another user')
    writeRegistry('win32')
    expect(() => openPrefix(prefix, uid)).toThrow('runs 32-bit programs only')
    writeFileSync(registryOf(prefix), '{}')
    expect(() => openPrefix(prefix, uid)).toThrow('is not a registry file of Wine')
  })

  test('is refused with a sentence when links lead out of it', () => {
    rmSync(registryOf(prefix))
    symlinkSync('/dev/zero', registryOf(prefix))
    expect(() => openPrefix(prefix, uid)).toThrow('system.reg is a link')
    rmSync(registryOf(prefix))
    writeRegistry('win64')
    renameSync(join(prefix, 'drive_c/windows'), join(folder, 'windows'))
    symlinkSync(join(folder, 'windows'), join(prefix, 'drive_c/windows'))
    expect(() => openPrefix(prefix, uid)).toThrow('drive_c/windows is a link')
  })

  test('is refused when its registry is larger than any', () => {
    truncateSync(registryOf(prefix), 268_435_457)
    expect(() => openPrefix(prefix, uid)).toThrow(/system\.reg has more than \d+ bytes/)
  })

  test('runs while a server works for it', async () => {
    expect(isRunning(prefix)).toBe(false)
    const { dev, ino } = statSync(prefix, { bigint: true })
    const server = join(folder, `server-${dev.toString(16)}-${ino.toString(16)}`)
    mkdirSync(server)
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { cwd: server, stdio: ['pipe', 'ignore', 'ignore'] })
    await once(child, 'spawn')
    expect(isRunning(prefix)).toBe(true)
    const refused = await cli('uninstall', prefix)
    expect(refused).toMatchObject({ code: EXIT.failed, informed: expect.stringContaining('wineserver -k') as string })
    // A plan changes nothing.
    expect((await cli('uninstall', prefix, '--dry-run')).printed).toContain(`remove ${bridgeOf(prefix)}`)
    child.stdin.end()
    await once(child, 'close')
    expect((await cli('uninstall', prefix)).code).toBe(EXIT.ok)
  })
})

test('the prefixes are listed, with the state of each', async () => {
  expect((await cli('list')).printed).toMatch(new RegExp(`${prefix}\\s+not installed`))
  writeFileSync(bridgeOf(prefix), '')
  expect(JSON.parse((await cli('list', '--json')).printed)).toContainEqual({ prefix, installed: true })
})

test.each([[['install']], [['list', 'x']], [['remove', 'x']]])('%s is no command', async (words) => {
  const { code, informed } = await cli(...words)
  expect(code).toBe(EXIT.usage)
  expect(informed).toContain('wine install PREFIX')
})
