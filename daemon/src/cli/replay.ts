/** `sallyport replay`: plays the game's side of a recording against the running bridge, and compares what the bridge sends. */
import { escapeInvisible } from '@sallyport/core/display-text'
import { socketPath } from '../config/paths.ts'
import { requireTerminal } from './at-terminal.ts'
import type { Command, Context } from './command.ts'
import { locationOfData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { verifiedConnect } from './own-server.ts'
import { readRecording } from './recording.ts'
import type { FrameDifference } from './replay-player.ts'

const MAX_SHOWN = 200

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = escapeInvisible(JSON.stringify(value))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The differences of one frame, a line for each. */
const differenceText = ({ frame, differences }: FrameDifference): string =>
  [
    `${frame} differs:`,
    ...differences.map(({ path, recorded, now }) => `  ${path === '' ? 'message' : path}: recorded ${shown(recorded)}, now ${shown(now)}`),
  ].join('\n')

/** Opens connections to the bridge that uses the data folder. */
async function opener(context: Context) {
  const [binding, { ReplayConnection }] = await Promise.all([import('@sallyport/client'), import('./replay-connection.ts')])
  const { runtimeDir, ipcPrefix, slot } = locationOfData(context)
  const path = socketPath(runtimeDir, ipcPrefix, slot, context.io.machine.platform)
  const connect = verifiedConnect(binding)
  return async () => {
    try {
      return new ReplayConnection(await connect(path, AbortSignal.timeout(CONNECT_MS)))
    } catch (cause) {
      throw new CommandFailure(EXIT.noDaemon, `No bridge answers at ${path}. Start one with: sallyport run`, {}, { cause })
    }
  }
}

const CONNECT_MS = 10_000

export const replay: Command = {
  name: 'replay',
  summary: 'Play the recorded calls of a game again, and compare the responses (in a script: --non-interactive).',
  usage: 'FILE [flags]',
  operands: { min: 1, max: 1 },
  flags: ['nonInteractive', 'dataDir', 'config'],
  async run(context) {
    const { io, loaded, operands } = context
    const { ReplayPlayer, usesAccount } = await import('./replay-player.ts')
    const [path = ''] = operands
    const frames = readRecording(path)
    if (usesAccount(frames)) requireTerminal('replay', context)
    const { compared, skipped, differing } = await new ReplayPlayer(frames, await opener(context)).play()
    if (loaded.settings.json) io.out(JSON.stringify({ compared, skipped, differing }))
    else {
      for (const one of skipped) io.info(`Not played: ${one}.`)
      for (const one of differing) io.out(differenceText(one))
      const verdict = differing.length === 0 ? 'none differs' : `${differing.length} of them differ`
      io.out(`Compared ${compared} responses and events; ${verdict}.`)
    }
    return differing.length === 0 ? EXIT.ok : EXIT.failed
  },
}
