import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { FROM_CLONE, ownCommand } from '#daemon/src/cli/own-command.ts'

const home = mkdtempSync(join(tmpdir(), 'own-'))
afterAll(() => rmSync(home, { recursive: true }))

const NODE = '/usr/bin/node'
const startedIn = (folder: string, env: NodeJS.ProcessEnv = {}) =>
  ownCommand({ script: join(folder, 'dist', 'sallyport.cjs'), executable: NODE, env })

/** The folder of the package after npx installed it for these names. */
function installedByNpx(manifest: string): string {
  const folder = join(mkdtempSync(join(home, 'cache-')), '_npx', 'aaff0b069f00ded3')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  return join(folder, 'node_modules', 'sallyport')
}
const byNpx = (...packages: readonly string[]): string =>
  startedIn(installedByNpx(JSON.stringify({ _npx: { packages } })), { npm_command: 'exec' })

describe('the words that start this program', () => {
  test('are its name where it is one executable', () => {
    expect(ownCommand({ script: '/usr/bin/sallyport', executable: '/usr/bin/sallyport', env: { npm_command: 'exec' } })).toBe('sallyport')
  })

  test('are those of npm in a clone, also below a folder of npx', () => {
    expect(startedIn('/home/ada/sallyport/daemon')).toBe(FROM_CLONE)
    expect(startedIn('/home/ada/_npx/1f/daemon')).toBe(FROM_CLONE)
  })

  test('are its name where it is installed for all projects, and with npx in a project', () => {
    expect(startedIn('/usr/lib/node_modules/sallyport')).toBe('sallyport')
    expect(startedIn('/home/ada/game/node_modules/sallyport', { npm_command: 'exec' })).toBe('npx sallyport')
    expect(startedIn('/home/ada/game/node_modules/sallyport', { npm_command: 'run' })).toBe('npx sallyport')
  })

  test.for([
    ['sallyport', 'npx sallyport'],
    ['sallyport@0.1.0', 'npx sallyport@0.1.0'],
    ['sallyport@next', 'npx sallyport@next'],
    ['./sallyport-0.1.0.tgz', 'npx --package=./sallyport-0.1.0.tgz sallyport'],
    ['sallyport-0.1.0.tgz', 'npx --package=sallyport-0.1.0.tgz sallyport'],
    ['/srv/sallyport-0.1.0.tgz', 'npx --package=/srv/sallyport-0.1.0.tgz sallyport'],
    ['file:sallyport-0.1.0.tgz', 'npx --package=file:sallyport-0.1.0.tgz sallyport'],
    ['./my games/sallyport.tgz', 'npx --package="./my games/sallyport.tgz" sallyport'],
    ['./$(id).tgz', 'npx sallyport'],
    ['a\u001b[2J', 'npx sallyport'],
  ] as const)('name what the user gave to npx: %s', ([named, words]) => {
    expect(byNpx(named)).toBe(words)
  })

  test('name the package where npm does not say what the user gave', () => {
    expect(byNpx('sallyport', 'other')).toBe('npx sallyport')
    expect(startedIn(installedByNpx('{'))).toBe('npx sallyport')
    expect(startedIn(installedByNpx('{}'))).toBe('npx sallyport')
  })
})
