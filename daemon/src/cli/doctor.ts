/** `sallyport doctor`: checks what the bridge needs, says what to do, and removes sockets that a killed bridge left behind. */
import { escapeInvisible } from '@sallyport/core/display-text'
import type { Command } from './command.ts'
import type { CheckState } from './doctor-finding.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { painterOf, type Style } from './paint.ts'
import { withProgress } from './progress.ts'

const LABELS: Readonly<Record<CheckState, readonly [Style, string]>> = {
  ok: ['green', 'ok         '],
  'not checked': ['yellow', 'not checked'],
  wrong: ['red', 'WRONG      '],
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check what the bridge needs on this machine. Each line is ok, not checked, or wrong and says what to do.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: [...FIND_FLAGS, 'vault', 'proxy', 'caFile', 'bridgePort', 'dashboardPort', 'sandboxPort', 'sandboxActivityPort', 'webhookPort'],
  async run({ loaded, io }) {
    const { runChecks } = await import('./doctor-checks.ts')
    const findings = await withProgress(io, 'Checking', () => runChecks(loaded, io.machine))
    const paint = painterOf(io.colours.out)
    if (loaded.settings.json) io.out(JSON.stringify(findings))
    else
      for (const { check, state, says, why } of findings)
        io.out(`${paint(...LABELS[state])}  ${check}: ${escapeInvisible(says)}${why === undefined ? '' : `\n             Why: ${why}`}`)
    const states = findings.map(({ state }) => state)
    if (states.includes('wrong')) return EXIT.failed
    return states.includes('not checked') ? EXIT.notChecked : EXIT.ok
  },
}
