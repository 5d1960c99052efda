/** The Windows setup under Wine: files, menu, PATH, Run key, URL scheme and launcher; an upgrade and an uninstallation end the bridge by Ctrl-C and leave nothing. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '#daemon/packaging/bundle.ts'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { nsis } from '#daemon/packaging/installers/nsis.ts'
import { findWine, ROOT, start, stopAll, type Wine } from '../wine/wine.ts'
import { missingPrograms } from './missing-programs.ts'

/** The first start of a prefix is slow. */
const PREPARE_MS = 300_000
const found = await findWine()
const missing = await missingPrograms({ makensis: 'nsis', 'x86_64-w64-mingw32-gcc': 'gcc-mingw-w64-x86-64' })
const target = TARGETS.find(({ name }) => name === 'win-x64')
const skipped = 'missing' in found ? found.missing : missing

describe('the Windows setup under Wine', () => {
  let folder: string
  let wine: Wine
  let setup: string
  let said: string
  /** Below the prefix: `C:\users\…`. */
  let local: string

  const pathOf = (unix: string) => `Z:${unix.replaceAll('/', '\\')}`
  const runs = (name: string, words: readonly string[]) => start(wine, name, words).ended
  const valueOf = async (key: string, ...name: readonly string[]) => {
    const { code, output } = await runs('reg', ['reg', 'query', key, ...(name.length === 0 ? ['/ve'] : ['/v', ...name])])
    return code === 0 ? (/REG_(?:SZ|EXPAND_SZ|DWORD)\s+(.*?)\r?$/m.exec(output)?.[1] ?? '') : undefined
  }
  const lines = async () => (existsSync(said) ? (await readFile(said, 'utf8')).split(/\r?\n/).filter((line) => line !== '') : [])

  beforeAll(async () => {
    if ('missing' in found || missing !== undefined || target === undefined) return
    folder = await mkdtemp(join(ROOT, '.cache', 'setup-'))
    said = join(folder, 'said.txt')
    wine = { ...found, outputs: folder, env: { ...found.env, STAND_IN: pathOf(said) } }
    const executable = join(folder, 'stand-in.exe')
    await promisify(execFile)('x86_64-w64-mingw32-gcc', ['-O2', '-s', '-Wall', '-o', executable, join(import.meta.dirname, 'stand-in.c')])
    setup = join(folder, 'setup.exe')
    const scratch = join(folder, 'scratch')
    await mkdir(scratch)
    await nsis.make({ root: ROOT, notices: [], version: '1.0.0', target, executable, output: setup, scratch, time: 1_767_225_600 })
    await stopAll(wine)
    const { output } = await runs('folder', ['cmd', '/c', 'echo %LOCALAPPDATA%'])
    local = output.trim()
  }, PREPARE_MS)
  afterAll(async () => {
    if (wine === undefined) return
    await stopAll(wine)
    await rm(folder, { recursive: true, force: true })
  })

  test('the command writes the values, twice the same, and removes them', { timeout: PREPARE_MS }, async (context) => {
    if (skipped !== undefined) return context.skip(skipped)
    const file = 'registry-entry.cjs'
    const node = `node${wine.nodeVersion.split('.')[0]}`
    const parts = [{ name: 'registry-entry', file, entries: [] }] as const
    await bundle({ entry: join(import.meta.dirname, 'registry-entry.ts'), folder, target: node, parts })
    const outfile = join(folder, file)
    const place = pathOf(folder)
    const entry = async (word: string) => {
      const { code, output } = await runs(word, [wine.node, outfile, word, place])
      expect(code, output).toBe(0)
      return JSON.parse(output.trim().split(/\r?\n/).at(-1) ?? '') as readonly string[]
    }
    const runKey = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`
    const commandKey = String.raw`HKCU\Software\Classes\my-game\shell\open\command`
    expect(new Set(await entry('install'))).toEqual(new Set(['done']))
    expect((await entry('install')).at(-1)).toBe('unchanged')
    expect(await valueOf(runKey, 'Sallyport')).toBe(`"${place}\\sally port\\sallyport.exe" "run" "--data-dir" "${place}\\my data\\\\"`)
    expect(await valueOf(commandKey)).toBe(`"${place}\\sally port\\sallyport.exe" "callback" "--" "%1"`)
    await entry('uninstall')
    expect(await valueOf(runKey, 'Sallyport')).toBeUndefined()
    expect(await valueOf(commandKey)).toBeUndefined()
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  test('installs silently, upgrades over a running bridge, and removes all of it', { timeout: PREPARE_MS }, async (context) => {
    if (skipped !== undefined) return context.skip(skipped)
    const installed = `${local}\\Programs\\Sallyport`
    const unix = join(wine.env['WINEPREFIX'] ?? '', 'drive_c', ...installed.split('\\').slice(1))
    const environment = String.raw`HKCU\Environment`
    const uninstaller = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Sallyport`
    const shortcut = join(unix, '..', '..', '..', 'Roaming/Microsoft/Windows/Start Menu/Programs/Sallyport.lnk')
    // Longer than a text of the setup's own language.
    const before = `%SystemRoot%\\tools;;${'C:\\a folder;'.repeat(200)}C:\\last`
    await runs('path', ['reg', 'add', environment, '/v', 'Path', '/t', 'REG_EXPAND_SZ', '/d', before, '/f'])
    expect((await runs('setup', [setup, '/S'])).code).toBe(0)
    expect((await readdir(unix)).toSorted()).toEqual([
      'LICENSE.txt',
      'THIRD-PARTY-NOTICES.txt',
      'sallyport-package.json',
      'sallyport-tray.exe',
      'sallyport.exe',
      'sallyport.ico',
      'sallyportw.exe',
      'uninstall.exe',
    ])
    expect(await valueOf(String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`, 'Sallyport')).toBe(
      `"${installed}\\sallyportw.exe" "run"`,
    )
    expect(await valueOf(String.raw`HKCU\Software\Classes\sallyport\shell\open\command`)).toBe(
      `"${installed}\\sallyportw.exe" "callback" "--" "%1"`,
    )
    expect(await valueOf(String.raw`HKCU\Software\Classes\sallyport`, 'URL Protocol')).toBe('')
    expect(await valueOf(environment, 'Path')).toBe(`${before};${installed}`)
    expect(await valueOf(uninstaller, 'InstallLocation')).toBe(installed)
    expect(Number(await valueOf(uninstaller, 'EstimatedSize'))).toBeGreaterThan(100)
    const opens = (await readFile(shortcut)).toString('utf16le') + (await readFile(shortcut)).subarray(1).toString('utf16le')
    expect(opens).toContain('open')
    expect(opens).toContain('sallyportw.exe')
    // The version that Windows shows is two bytes a character.
    expect((await readFile(join(unix, 'sallyportw.exe'))).includes(Buffer.from('ProductVersion\x001.0.0\0', 'utf16le'))).toBe(true)
    // The setup starts the bridge, whose log is a file, and the tray.
    const since = async (count: number) => (await lines()).slice(count).toSorted()
    await expect.poll(() => since(0)).toEqual(['run', 'tray'])
    expect(await valueOf(String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`, 'SallyportTray')).toBe(
      `"${installed}\\sallyportw.exe" "tray"`,
    )
    expect(await readFile(join(unix, '..', '..', 'Sallyport', 'sallyport.log'), 'utf8')).toContain('log of run')

    // What the system runs for a callback, with the exit code of the program.
    const delivered = await runs('callback', [join(unix, 'sallyportw.exe'), 'callback', '--', 'sallyport:/authorize/callback?code=a%20b'])
    expect(delivered.code).toBe(7)
    expect(await since(2)).toEqual(['callback -- sallyport:/authorize/callback?code=a%20b'])
    // A second launcher leaves the first its bridge.
    expect((await runs('second', [join(unix, 'sallyportw.exe'), 'run'])).code).toBe(0)
    expect(await since(3)).toEqual([])

    expect((await runs('upgrade', [setup, '/S'])).code).toBe(0)
    await expect.poll(() => since(3)).toEqual(['run', 'run stopped by Ctrl-C', 'tray', 'tray stopped by Ctrl-C'])
    expect(await valueOf(environment, 'Path')).toBe(`${before};${installed}`)

    expect((await runs('uninstall', [join(unix, 'uninstall.exe'), '/S', `_?=${installed}`])).code).toBe(0)
    expect(await since(7)).toEqual(['run stopped by Ctrl-C', 'tray stopped by Ctrl-C', 'uninstall'])
    // The uninstaller cannot delete itself that is started with its folder; only then does it wait for its end.
    expect(existsSync(unix) ? await readdir(unix) : []).toEqual(['uninstall.exe'])
    await rm(unix, { recursive: true })
    expect(await valueOf(environment, 'Path')).toBe(before)
    expect(existsSync(shortcut)).toBe(false)
    expect(await valueOf(String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`, 'Sallyport')).toBeUndefined()
    expect(await valueOf(String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Run`, 'SallyportTray')).toBeUndefined()
    expect(await valueOf(String.raw`HKCU\Software\Classes\sallyport`)).toBeUndefined()
    expect(await valueOf(String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Sallyport`, 'DisplayName')).toBeUndefined()
  })

  test('says the minimum version before it installs anything', { timeout: PREPARE_MS }, async (context) => {
    if (skipped !== undefined) return context.skip(skipped)
    const old = join(folder, 'setup-on-old.exe')
    await copyFile(setup, old)
    const key = String.raw`HKCU\Software\Wine\AppDefaults\setup-on-old.exe`
    await runs('old', ['reg', 'add', key, '/v', 'Version', '/t', 'REG_SZ', '/d', 'win7', '/f'])
    expect((await runs('refused', [old, '/S'])).code).toBe(2)
    await runs('not-old', ['reg', 'delete', key, '/f'])
    expect(existsSync(join(wine.env['WINEPREFIX'] ?? '', 'drive_c', ...`${local}\\Programs\\Sallyport`.split('\\').slice(1)))).toBe(false)
  })
})
