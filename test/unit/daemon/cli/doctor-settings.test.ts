/** What `sallyport doctor` says of the platform that runs, and of the one that is set. */
import { expect, test } from 'vitest'
import { checkSettings } from '#daemon/src/cli/doctor-bridge.ts'
import { type LoadedSettings, loadSettings, type Origin } from '#daemon/src/config/load.ts'

const loadedAs = (platform: string, from: Origin): LoadedSettings => {
  const loaded = loadSettings({ platform }, { platform: 'linux', env: {}, home: '/nowhere' })
  return { ...loaded, origins: { ...loaded.origins, platform: from } }
}
const UNIT = [{ path: '/u.service', by: '--platform' }]

test.each([
  ['is the one that runs', 'discord', [], 'ok', 'The platform is set to discord (by the package). The running bridge has it.'],
  ['waits for another start', 'sandbox', [], 'wrong', '(by the package). The running bridge still has sandbox; start it again.'],
  ['loses to the unit', 'discord', UNIT, 'wrong', 'But /u.service starts the bridge with --platform, which wins.'],
  ['is named while no bridge runs', undefined, [], 'ok', 'No bridge with this data folder serves games now.'],
] as const)('the platform that is set %s', (_, running, overrides, outcome, says) => {
  const state = running === undefined ? undefined : { platform: running }
  expect(checkSettings(loadedAs('discord', 'package'), state, overrides)).toMatchObject({
    state: outcome,
    says: expect.stringContaining(says) as string,
  })
})

test('the origin of the platform is named', () => {
  expect(checkSettings(loadedAs('sandbox', 'file'), undefined, []).says).toContain('set to sandbox (by the settings file)')
})
