import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { ALL_KEPT } from '#daemon/src/auth/consent/consent-prompts.ts'
import { openLauncher } from '#daemon/src/app/launcher.ts'
import { dataHealth } from '#test/support/data-health.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

test('the bridge of a recording starts no program, also when the prompt is answered with yes', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'launcher-'))
  const log = new RecordingLog()
  await using scope = new AsyncDisposableStack()
  scope.defer(() => rmSync(dataDir, { recursive: true }))
  const launcher = openLauncher({
    settings: { isIsolated: true },
    health: dataHealth(dataDir),
    profile: { name: 'sandbox', customSchemePrefix: 'no-such-scheme' },
    clock: systemClock,
    log,
    consent: { ask: async () => ALL_KEPT },
    grants: { applicationName: () => undefined },
    scope,
  })
  await launcher.launch('5')
  const [line] = log.lines
  expect(line).toMatchObject({ event: 'game-not-launched', fields: { reason: expect.stringContaining('this bridge starts no programs') } })
})
