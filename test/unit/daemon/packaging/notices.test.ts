import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { debianCopyright } from '#daemon/packaging/installers/debian-copyright.ts'
import { npmNotices } from '#daemon/packaging/notices/collect.ts'
import { licenceExpression, type Notice, NOTICES_FILE, noticesText, titleOf } from '#daemon/packaging/notices/notice.ts'
import { bundleProgram } from '#daemon/packaging/program.ts'
import { ROOT } from '#test/architecture/source-tree.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'notices-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('of an npm package', () => {
  const brings = (manifest: object, files: Readonly<Record<string, string>> = { LICENSE: 'May be used.' }): Promise<readonly Notice[]> => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'part', version: '1.2.3', ...manifest }))
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return npmNotices(folder, [folder])
  }

  test('has every text that it brings', async () => {
    const [notice] = await brings({ license: 'MIT' }, { 'licence.md': 'May be used.\n', NOTICE: 'By Ada.', 'licensee.js': 'code' })
    expect(notice).toMatchObject({ name: 'part', version: '1.2.3', licences: ['MIT'], text: 'By Ada.\n\nMay be used.' })
  })

  test.each([
    ['(MIT OR Apache-2.0) AND Unicode-3.0', ['MIT', 'Unicode-3.0']],
    ['Unlicense OR ISC', ['ISC']],
    ['BSD-3-Clause', ['BSD-3-Clause']],
  ])('is used under one licence of each choice: %s', async (license, licences) => {
    expect((await brings({ license }))[0]).toMatchObject({ licences })
  })

  test('without a text, or with a licence that is not known, ends the build', async () => {
    await expect(brings({ license: 'GPL-3.0-only' })).rejects.toThrow('part has the licence GPL-3.0-only; read it')
    await expect(brings({})).rejects.toThrow('part has the licence ; read it')
    rmSync(join(folder, 'LICENSE'))
    await expect(brings({ license: 'MIT' }, {})).rejects.toThrow('part@1.2.3 brings no text of its licence')
  })
})

describe('of the program', () => {
  /** What runs, but is not in the files of the bundle: it has notices of its own, or the bundler leaves it out. */
  const ELSEWHERE = [/^@napi-rs\/keyring/, /^node-(?:bin-)?(?:linux|darwin|win)-/]
  const LEFT_OUT = [
    // Transports of pino, which are not part of the program.
    ...['pino-abstract-transport', 'process-warning', 'real-require', 'split2', 'thread-stream'],
    // No log is sent.
    '@opentelemetry/sdk-logs',
    // Reads what the tray never asks for.
    ...['sax', 'xml2js', 'xmlbuilder'],
    // What node-ipc needs where it makes messages; the daemon hands it bytes.
    ...['easy-stack', 'js-message', 'js-queue'],
  ]

  test('each package that runs has one, or no line in the program', { timeout: 60_000 }, async () => {
    const { packages } = await bundleProgram({ folder })
    const text = readFileSync(join(folder, NOTICES_FILE), 'utf8')
    const missing = (await npmNotices(ROOT, packages)).filter(
      (one) => !text.includes(`\n${titleOf(one)}\n`) || !text.includes(one.text.trim()),
    )
    expect(missing).toEqual([])
    const reviewed = readFileSync(join(ROOT, 'test/architecture/runtime-tree.reviewed.json'), 'utf8')
    const running = Object.keys((JSON.parse(reviewed) as { readonly packages: object }).packages).map((path) =>
      path.replace(/^.*node_modules\//, ''),
    )
    const inFiles = packages.map((path) => path.replace(/^.*node_modules\//, ''))
    expect(running.filter((name) => !ELSEWHERE.some((one) => one.test(name)) && !inFiles.includes(name)).toSorted()).toEqual(
      LEFT_OUT.toSorted(),
    )
    expect(inFiles.filter((name) => !running.includes(name))).toEqual([])
  })
})

describe('as texts', () => {
  const notices: readonly Notice[] = [
    {
      name: 'short',
      version: '1.0.0',
      licences: ['ISC'],
      files: 'node_modules/short/*',
      text: 'Copyright (c) 2020 Ada\nCopyright Bob\n\nMay be used.',
    },
    { name: 'long', licences: ['MIT', 'Zlib'], files: 'node_modules/long/*', text: 'line\n'.repeat(200) },
  ]

  test('the file has each part under its name and version', () => {
    expect(noticesText(notices)).toMatch(
      /\nshort 1\.0\.0\nLicence: ISC\n=+\n\nCopyright \(c\) 2020 Ada\n[^]*\nlong\nLicence: MIT AND Zlib\n/,
    )
  })

  test('an expression of SPDX has each licence once, and ours', () => {
    expect(licenceExpression(notices)).toBe('MIT AND ISC AND Zlib')
  })

  test("Debian's file has a stanza for each, and names the file with the long texts", () => {
    const text = debianCopyright('MIT License\n\nCopyright (c) 2026 The authors\n\nMay be used.\n', notices)
    expect(text).toMatch(/^Format: .*\n/)
    expect(text).toContain('\nFiles: *\nCopyright: 2026 The authors\nLicense: MIT\n MIT License\n .\n')
    expect(text).toContain('\nFiles: node_modules/short/*\nCopyright: 2020 Ada\n Bob\nLicense: ISC\n')
    expect(text).toMatch(
      /Files: node_modules\/long\/\*\n[^]*\nLicense: MIT and Zlib\n The notices and texts stand in .*THIRD-PARTY-NOTICES\.gz\.\n/,
    )
    expect(text).not.toContain('line')
  })
})
