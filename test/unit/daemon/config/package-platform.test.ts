/** What a package says to its program, read where each system has it, and from the payload of every package. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Target, TARGETS } from '#daemon/packaging/base-node.ts'
import { debPayload } from '#daemon/packaging/installers/deb.ts'
import { INSTALLERS } from '#daemon/packaging/installers/installers.ts'
import type { InstallerInput } from '#daemon/packaging/installers/installer.ts'
import { bundleFiles } from '#daemon/packaging/installers/macos.ts'
import { setupFiles } from '#daemon/packaging/installers/nsis.ts'
import { layOut, type PayloadFile } from '#daemon/packaging/installers/payload.ts'
import { rpmPayload } from '#daemon/packaging/installers/rpm.ts'
import { archiveFiles } from '#daemon/packaging/installers/tarball.ts'
import { type Notice, NOTICES_FILE } from '#daemon/packaging/notices/notice.ts'
import { loadSettings } from '#daemon/src/config/load.ts'
import { PACKAGE_FILE } from '@sallyport/core/platform-names'
import { packagePlatform } from '#daemon/src/config/package-platform.ts'

const ROOT = resolve(import.meta.dirname, '../../../..')

const NOTICE: Notice = { name: 'a-part', version: '1.2.3', licences: ['ISC'], files: 'a-part/*', text: 'May be used by all.' }

let folder: string
let executable: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'))
  executable = join(folder, 'executable')
  writeFileSync(executable, '')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the payload of each package', () => {
  const [target] = TARGETS as [Target]
  const input = (): InstallerInput => ({
    root: ROOT,
    version: '1.0.0',
    target,
    executable,
    notices: [NOTICE],
    output: '',
    scratch: '',
    time: 0,
  })
  const PAYLOADS: Readonly<Record<string, () => Promise<readonly PayloadFile[]> | readonly PayloadFile[]>> = {
    deb: () => debPayload(input()),
    rpm: () => rpmPayload(input()),
    tarball: () => archiveFiles(input()),
    nsis: () => setupFiles(input()),
    'macos-zip': () => bundleFiles(input()),
  }

  test.each(INSTALLERS.map(({ name }) => name))('%s: its program runs discord', async (name) => {
    const files = (await PAYLOADS[name]?.()) ?? []
    const program = files.find((file) => 'from' in file && file.from === executable)
    expect(program).toBeDefined()
    await layOut(join(folder, 'laid'), files, 0)
    expect(packagePlatform(dirname(join(folder, 'laid', program?.path ?? '')))).toBe('discord')
  })

  test.each(INSTALLERS.map(({ name }) => name))('%s: has the notices of others', async (name) => {
    const file = (await PAYLOADS[name]?.())?.find(({ path }) => path.includes(NOTICES_FILE))
    const content = file !== undefined && 'text' in file ? Buffer.from(file.text) : Buffer.alloc(0)
    const text = file?.path.endsWith('.gz') === true ? gunzipSync(content).toString() : content.toString()
    expect(text).toContain('a-part 1.2.3')
    expect(text).toContain('May be used by all.')
  })
})

describe('the file of a package', () => {
  const place = (text: string): void => writeFileSync(join(folder, PACKAGE_FILE), text)

  test('is missing beside a program that no package placed', () => expect(packagePlatform(folder)).toBeUndefined())

  test.each(['{}', '[]', '{"platform":"/tmp/profile.json"}', '{"platform":"Discord"}', 'not json'])('with %s is damaged', (text) => {
    place(text)
    expect(() => packagePlatform(folder)).toThrow(PACKAGE_FILE)
  })

  test('loses against flag, environment and settings file, and wins over the default', () => {
    place('{"platform":"discord"}')
    const home = join(folder, 'home')
    const chosen = (flags: object, env: Readonly<Record<string, string>> = {}) => {
      const { settings, origins } = loadSettings(flags, { platform: 'linux', env, home, packagePlatform: () => packagePlatform(folder) })
      return [settings.platform, origins.platform]
    }
    expect(chosen({})).toEqual(['discord', 'package'])
    expect(chosen({ platform: 'sandbox' })).toEqual(['sandbox', 'flag'])
    expect(chosen({}, { SALLYPORT_PLATFORM: 'sandbox' })).toEqual(['sandbox', 'env'])
    mkdirSync(join(home, '.config/sallyport'), { recursive: true })
    writeFileSync(join(home, '.config/sallyport/config.json'), '{"platform":"sandbox"}')
    expect(chosen({})).toEqual(['sandbox', 'file'])
  })
})
