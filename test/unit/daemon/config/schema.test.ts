import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OPTION_KEYS, OPTIONS, type OptionRow } from '#daemon/src/config/schema.ts'
import { VERSION } from '@sallyport/core/version'

const rows: readonly OptionRow[] = OPTION_KEYS.map((key) => OPTIONS[key])

test.each(OPTION_KEYS.map((key) => [key, OPTIONS[key] as OptionRow] as const))('%s has three names derived from one', (key, row) => {
  // What only one line can say is no setting.
  const onlyFlags = [
    'textfile',
    'label',
    'yes',
    'against',
    'allow',
    'dryRun',
    'ifDesktop',
    'purge',
    'cmd',
    'direction',
    'follow',
    'lines',
    'level',
    'all',
    'har',
    'report',
  ]
  expect(row.fileKey).toBe(['nonInteractive', ...onlyFlags].includes(key) ? undefined : key)
  const kebab = key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  expect(row.env).toBe(onlyFlags.includes(key) ? undefined : `SALLYPORT_${kebab.replaceAll('-', '_').toUpperCase()}`)
  // Of the secrets only the proxy has a flag: its address need not hold a password.
  expect(row.flag).toBe(row.isSecret && key !== 'proxy' ? undefined : kebab)
  expect(row.doc.length).toBeGreaterThan(20)
})

test('every default passes its own check', () => {
  for (const row of rows) if (row.default !== undefined) expect(row.check(row.default), row.fileKey).toBeDefined()
})

test('container folders lead nowhere else', () => {
  const { check } = OPTIONS.containerFolders
  expect(check('off')).toBe('off')
  expect(check('snap.game,app/org.game.One,.flatpak/a/xdg-run')).toEqual(['snap.game', 'app/org.game.One', '.flatpak/a/xdg-run'])
  for (const given of ['', ',', '/tmp', '..', 'a/../b', 'a/..', '.', './a', 'a//b', 'a/', 'a,,b', 'a, b', 7])
    expect(check(given), String(given)).toBeUndefined()
})

test('the options of the contract are all there', () => {
  const flags = rows.map(({ flag }) => flag)
  for (const flag of [
    'platform',
    'runtime-dir',
    'data-dir',
    'config',
    'log-level',
    'json',
    'bridge-port',
    'dashboard-port',
    'sandbox-port',
    'consent',
  ]) {
    expect(flags).toContain(flag)
  }
})

test('the version is the one of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../../daemon/package.json', import.meta.url), 'utf8'))
  expect(VERSION).toBe(manifest.version)
})
