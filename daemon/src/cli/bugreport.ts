/** `sallyport bugreport`: writes what a maintainer needs into one text file, which the user reads before it goes anywhere. */
import { release } from 'node:os'
import type { BridgeState, DataOf } from '@sallyport/protocol'
import { CONTRACT_VERSION } from '@sallyport/protocol/wire'
import { lastLogLines } from '@sallyport/core/storage/log-file'
import { VERSION } from '@sallyport/core/version'
import { describeSettings } from '../config/describe.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { runChecks } from './doctor-checks.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { writeNewFile } from './new-file.ts'
import { asOperator } from './operator.ts'
import { withProgress } from './progress.ts'
import { protect } from './protection.ts'
import { listed, reportText, type Section, stateLines, traceLines } from './report-sections.ts'

const ANSWER = 'write'

const asLines = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value))

/** From the bridge; a sentence in their place where none runs, so that the report can still be written. */
async function bridgeSections(context: Context): Promise<readonly Section[]> {
  const holds = {
    state: 'the running bridge: its state, games by application and program, providers, warnings; no names and texts of users',
    calls: 'calls that failed, newest first, with errors of the platform; of arguments only the form: "At the pier" is "aa aaa aaaa"',
  }
  try {
    const [state, { calls }] = await withBridgeOnData(context, async (client) => [
      await asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {}),
      await asOperator<DataOf<'INSPECT_CALLS'>>(client, context, 'INSPECT_CALLS', {}),
    ])
    return [
      { name: 'state', holds: holds.state, lines: stateLines(state) },
      { name: 'calls', holds: holds.calls, lines: traceLines(calls) },
    ]
  } catch (failure) {
    if (!(failure instanceof CommandFailure)) throw failure
    protect(context.io)
    return [{ name: 'state', holds: holds.state, lines: [failure.message] }]
  }
}

/** The checks need a process that other programs cannot read, and the bridge one that it can: so the bridge is asked first. */
async function sectionsOf(context: Context): Promise<readonly Section[]> {
  const { loaded, io } = context
  const fromBridge = await bridgeSections(context)
  const { platform } = io.machine
  const versions = {
    program: VERSION,
    contract: CONTRACT_VERSION,
    node: process.versions.node,
    system: `${platform} ${release()} ${process.arch}`,
  }
  return [
    { name: 'versions', holds: 'the program, its contract, Node and the system', lines: [JSON.stringify(versions)] },
    {
      name: 'settings',
      holds: 'the effective settings and where each comes from; secrets are redacted',
      lines: asLines(describeSettings(loaded)),
    },
    { name: 'doctor', holds: 'what "sallyport doctor" finds', lines: asLines(await runChecks(loaded, io.machine)) },
    ...fromBridge,
    {
      name: 'log',
      holds: 'the last lines of the log, without secrets; ids of users and paths of programs',
      lines: lastLogLines(loaded.settings.dataDir),
    },
  ]
}

/** Resolves if the user typed the answer, or --yes answers. Throws SettingsError otherwise. */
async function confirmWriting({ io, loaded: { settings } }: Context): Promise<void> {
  if (settings.yes) return
  if (settings.nonInteractive || io.readLine === undefined)
    throw new SettingsError('The report was not written: it needs your answer at a terminal. Add --yes to write it from a script.')
  const answer = await io.readLine(`Type "${ANSWER}" to write it: `)
  if (answer?.trim().toLowerCase() !== ANSWER) throw new SettingsError(`The report was not written, because "${ANSWER}" was not typed.`)
}

export const bugreport: Command = {
  name: 'bugreport',
  summary: 'List what a report of an error would hold, and write it to a new text file, without secrets. Nothing is sent.',
  usage: 'FILE [flags]',
  operands: { min: 1, max: 1 },
  flags: [...FIND_FLAGS, 'vault', 'proxy', 'caFile', 'yes', 'nonInteractive'],
  async run(context) {
    const { io, loaded, operands } = context
    const [path = ''] = operands
    const sections = await withProgress(io, 'Collecting', () => sectionsOf(context))
    for (const text of ['The report holds:', ...listed(sections), `The home folder ${io.machine.home} is shown as "~". Nothing is sent.`])
      io.info(text)
    await confirmWriting(context)
    const text = reportText(sections, io.machine.home)
    writeNewFile(path, text)
    const bytes = Buffer.byteLength(text)
    io.out(
      loaded.settings.json
        ? JSON.stringify({ file: path, bytes, sections: sections.map(({ name, lines }) => ({ name, lines: lines.length })) })
        : `Wrote ${bytes} bytes to ${path}. Read it before you publish it.`,
    )
    return EXIT.ok
  },
}
