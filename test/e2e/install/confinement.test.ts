/** The confinement of the service, as systemd itself judges it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { serviceUnit, socketUnit, UNIT_NAMES } from '#daemon/src/install/linux-files.ts'

/** Offline analysis came with systemd 250. */
const FIRST_OFFLINE = 250
const version = Number(/^systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 0)

describe.skipIf(version < FIRST_OFFLINE)('the service (needs systemd-analyze of systemd 250)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sp-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const unit = join(folder, UNIT_NAMES.service)
  const env = { ...process.env, XDG_RUNTIME_DIR: folder }
  const analyze = (...words: readonly string[]): string =>
    execFileSync('systemd-analyze', ['--user', ...words, unit], { encoding: 'utf8', env })

  test('is valid, with its socket', () => {
    writeFileSync(unit, serviceUnit(['/bin/true'], []))
    writeFileSync(join(folder, UNIT_NAMES.socket), socketUnit('discord-ipc', undefined))
    const { stdout, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', '--man=no', unit], { encoding: 'utf8', env })
    expect(stdout + stderr).toBe('')
  })

  test('has an exposure of at most 6.0', () => {
    writeFileSync(unit, serviceUnit(['/bin/true'], []))
    writeFileSync(join(folder, UNIT_NAMES.socket), socketUnit('discord-ipc', undefined))
    expect(analyze('security', '--offline=true', '--threshold=60', '--no-pager')).toContain('Overall exposure level')
  })
})
