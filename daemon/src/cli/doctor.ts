/** `sallyport doctor`: checks what the bridge needs, says what to do, and removes sockets that a killed bridge left behind. */
import { escapeInvisible } from '@sallyport/core/display-text'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { withProgress } from './progress.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check what the bridge needs on this machine. Each line is ok, or says what to do.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['platform', 'runtimeDir', 'dataDir', 'config', 'vault', 'proxy', 'caFile', 'dashboardPort', 'sandboxPort', 'webhookPort'],
  async run({ loaded, io }) {
    const { runChecks } = await import('./doctor-checks.ts')
    const findings = await withProgress(io, 'Checking', () => runChecks(loaded, io.machine))
    if (loaded.settings.json) io.out(JSON.stringify(findings))
    else
      for (const { check, ok, says, why } of findings)
        io.out(`${ok ? 'ok  ' : 'FAIL'}  ${check}: ${escapeInvisible(says)}${why === undefined ? '' : `\n      Why: ${why}`}`)
    return findings.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed
  },
}
