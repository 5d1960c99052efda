/** `sallyport replay`: plays the game's side of a recording, and compares what the bridge sends: a bridge with a sandbox of its own, or the user's. */
import { escapeInvisible } from '@sallyport/core/display-text'
import { socketPath } from '../config/paths.ts'
import type { Command, Context } from './command.ts'
import { locationOfData, withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { verifiedConnect } from '../operator/own-server.ts'
import type { FewList } from './few-list.ts'
import { protect } from './protection.ts'
import { readRecording } from './recording-reader.ts'
import type { ReplayConnection } from './replay-connection.ts'
import type { FrameDifference, Replayed } from './replay-player.ts'

const MAX_SHOWN = 200

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = escapeInvisible(JSON.stringify(value))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** The differences of one frame, a line for each. */
const differenceText = ({ frame, differences }: FrameDifference): string =>
  [
    `${escapeInvisible(frame)} differs:`,
    ...differences.map(
      ({ path, recorded, now }) => `  ${path === '' ? 'message' : escapeInvisible(path)}: recorded ${shown(recorded)}, now ${shown(now)}`,
    ),
  ].join('\n')

const CONNECT_MS = 10_000

type Open = () => Promise<ReplayConnection>

/** Opens connections to the bridge at an address. */
async function openerOf(path: string): Promise<Open> {
  const [binding, { ReplayConnection }] = await Promise.all([import('@sallyport/client'), import('./replay-connection.ts')])
  const connect = verifiedConnect(binding)
  return async () => {
    try {
      return new ReplayConnection(await connect(path, AbortSignal.timeout(CONNECT_MS)))
    } catch (cause) {
      throw new CommandFailure(EXIT.noDaemon, `No bridge answers at ${path}. Start one with: sallyport run`, {}, { cause })
    }
  }
}

/** Plays with the user's bridge and its stored grants, once the user agreed. */
async function playToRunning(context: Context, path: string): Promise<Replayed> {
  const [{ ReplayPlayer }, plan, { storedGrant }, { confirmReplay }] = await Promise.all([
    import('./replay-player.ts'),
    import('./replay-plan.ts'),
    import('./replay-secrets.ts'),
    import('./confirm-replay.ts'),
  ])
  const { allow = [] } = context.loaded.settings
  const survey = plan.surveyOf(readRecording(path))
  await confirmReplay(survey, allow, context)
  const { runtimeDir, ipcPrefix, slot } = locationOfData(context)
  const open = await openerOf(socketPath(runtimeDir, ipcPrefix, slot, context.io.machine.platform))
  const guard = plan.withinSurvey(survey, plan.guardOf(allow))
  // Its connection identifies this process before it is protected, also for the connections of the recording.
  return withBridgeOnData(context, () => new ReplayPlayer({ open, guard, secrets: storedGrant }).play(readRecording(path)))
}

/** Plays with a bridge that no other program uses. */
async function playToSandbox({ io, loaded }: Context, path: string): Promise<Replayed> {
  const [{ ReplayPlayer }, plan, { SandboxSecrets }, { startOwnSandbox }] = await Promise.all([
    import('./replay-player.ts'),
    import('./replay-plan.ts'),
    import('./replay-secrets.ts'),
    import('./replay-sandbox.ts'),
  ])
  protect(io)
  const survey = plan.surveyOf(readRecording(path))
  // The temporary folder is removed after a stop signal too.
  const stopped = io.untilStopped().then(() => {
    throw new CommandFailure(EXIT.failed, 'The replay was stopped.')
  })
  await using sandbox = await startOwnSandbox(io.machine, loaded.settings.sandbox)
  const open = await openerOf(sandbox.address)
  const guard = plan.guardOf(loaded.settings.allow ?? [])
  const playing = new ReplayPlayer({ open, guard, secrets: new SandboxSecrets(survey, open) }).play(readRecording(path))
  return await Promise.race([playing, stopped])
}

const PLAY = { sandbox: playToSandbox, running: playToRunning } as const

const more = ({ count, kept }: FewList<unknown>, what: string): string[] =>
  count > kept.length ? [`${count - kept.length} more ${what} are not listed.`] : []

export const replay: Command = {
  name: 'replay',
  summary: 'Play the recorded calls of a game again, in a sandbox of its own, and compare the responses.',
  usage: 'FILE [flags]',
  operands: { min: 1, max: 1 },
  flags: ['against', 'allow', 'yes', 'nonInteractive', 'sandbox', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded, operands } = context
    const [path = ''] = operands
    const { compared, skipped, differing } = await PLAY[loaded.settings.against](context, path)
    if (loaded.settings.json) io.out(JSON.stringify({ compared, skipped: skipped.kept, differing: differing.kept }))
    else {
      for (const one of skipped.kept) io.info(`Not played: ${escapeInvisible(one)}.`)
      for (const one of differing.kept) io.out(differenceText(one))
      for (const line of [...more(skipped, 'frames that were not played'), ...more(differing, 'frames that differ')]) io.info(line)
      const verdict = differing.count === 0 ? 'none differs' : `${differing.count} of them differ`
      io.out(`Compared ${compared} responses and events; ${verdict}.`)
    }
    return differing.count === 0 ? EXIT.ok : EXIT.failed
  },
}
