/** `sallyport completion`: prints the script that completes command lines in a shell; `completion ids` prints what such a script asks for. */
import type { BridgeState } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'
import { runningBridge } from './running-bridge.ts'

const USAGE = 'Use completion bash, completion zsh or completion fish; their scripts use completion ids KIND.'

/** One id and what it is on each line, for the scripts. Nothing without a running bridge, which it never starts. */
async function printIds(kind: string | undefined, context: Context): Promise<ExitCode> {
  const { ID_KINDS } = await import('./completion-ids.ts')
  const { io, loaded } = context
  const idsOf = Object.entries(ID_KINDS).find(([name]) => name === kind)?.[1]
  if (idsOf === undefined) throw new SettingsError(`Use completion ids with one of: ${Object.keys(ID_KINDS).join(', ')}.`)
  const isRunning = (await runningBridge(context)) !== undefined
  const ids = isRunning
    ? idsOf(await withBridgeOnData(context, (client) => asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})))
    : []
  if (loaded.settings.json) io.out(JSON.stringify(ids))
  else for (const { id, what } of ids) io.out(`${id}\t${what}`)
  return EXIT.ok
}

export const completion: Command = {
  name: 'completion',
  summary: 'Print the script that completes command lines: of bash, zsh or fish.',
  usage: 'bash|zsh|fish|ids KIND [flags]',
  operands: { min: 1, max: 2 },
  flags: FIND_FLAGS,
  async run(context) {
    const { table, operands, io, loaded } = context
    const [shell = '', kind] = operands
    if (shell === 'ids') return printIds(kind, context)
    const { COMPLETIONS, isShell } = await import('./completion-scripts.ts')
    if (!isShell(shell) || kind !== undefined) throw new SettingsError(USAGE)
    const script = COMPLETIONS[shell](await Promise.all([...table.values()].map((load) => load())))
    io.out(loaded.settings.json ? JSON.stringify({ shell, script }) : script)
    return EXIT.ok
  },
}
