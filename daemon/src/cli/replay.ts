/** `sallyport replay`: plays the game's side of a recording, or the calls of a report, and compares what the bridge sends: a bridge with a sandbox of its own, or the user's. */
import { escapeInvisible } from '@sallyport/core/display-text'
import { socketPath } from '../config/paths.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { locationOfData, withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { verifiedConnect } from '../operator/own-server.ts'
import type { FewList } from './few-list.ts'
import { withProgress } from './progress.ts'
import { protect } from './protection.ts'
import { readRecording } from './recording-reader.ts'
import type { ReplayConnection } from './replay-connection.ts'
import type { FrameDifference, Replayed } from './replay-player.ts'
import type { ReportPlatform } from './report-platform.ts'

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

/** The temporary folder of what plays is removed after a stop signal too. */
const untilStopped = (io: Context['io']): Promise<never> =>
  io.untilStopped().then(() => {
    throw new CommandFailure(EXIT.failed, 'The replay was stopped.')
  })

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
  const stopped = untilStopped(io)
  await using sandbox = await startOwnSandbox(io.machine, { mode: loaded.settings.sandbox })
  const open = await openerOf(sandbox.address)
  const guard = plan.guardOf(loaded.settings.allow ?? [])
  const playing = new ReplayPlayer({ open, guard, secrets: new SandboxSecrets(survey, open) }).play(readRecording(path))
  return await Promise.race([playing, stopped])
}

/** Plays each call of a report with a bridge of its own, whose platform replies as it did. */
async function playReported({ io, loaded: { settings } }: Context, path: string): Promise<Replayed> {
  if (settings.against === 'running')
    throw new SettingsError('The calls of a report are played to a bridge of their own: leave out --against running.')
  const [{ readReportedCalls }, { playReport }, plan, { startOwnSandbox }] = await Promise.all([
    import('./report-reader.ts'),
    import('./report-player.ts'),
    import('./replay-plan.ts'),
    import('./replay-sandbox.ts'),
  ])
  protect(io)
  const calls = readReportedCalls(path)
  const stopped = untilStopped(io)
  const start = async ({ answer }: ReportPlatform) => {
    const { address, ...sandbox } = await startOwnSandbox(io.machine, { mode: settings.sandbox, answer })
    return { ...sandbox, connect: await openerOf(address) }
  }
  const playing = withProgress(io, 'Playing the calls', () => playReport(calls, { start, guard: plan.guardOf(settings.allow ?? []) }))
  const played = await Promise.race([playing, stopped])
  if (played.compared === 0)
    io.info('No call was played. With "sallyport run --trace on", and while an operator inspects, a report has calls that can be.')
  return played
}

const PLAY = { sandbox: playToSandbox, running: playToRunning } as const

const more = ({ count, kept }: FewList<unknown>, what: string): string[] =>
  count > kept.length ? [`${count - kept.length} more ${what} are not listed.`] : []

export const replay: Command = {
  name: 'replay',
  summary: 'Play the recorded calls of a game, or those of a report, again in a sandbox of its own, and compare the responses.',
  usage: 'FILE [flags]',
  operands: { min: 1, max: 1 },
  flags: ['report', 'against', 'allow', 'yes', 'nonInteractive', 'sandbox', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded, operands } = context
    const [path = ''] = operands
    const { settings } = loaded
    const play = settings.report ? playReported : PLAY[settings.against]
    const { compared, skipped, differing } = await play(context, path)
    /** A report that plays nothing proves nothing. */
    const isEqual = differing.count === 0 && !(settings.report && compared === 0)
    if (settings.json) io.out(JSON.stringify({ compared, skipped: skipped.kept, differing: differing.kept }))
    else {
      for (const one of skipped.kept) io.info(`Not played: ${escapeInvisible(one)}.`)
      for (const one of differing.kept) io.out(differenceText(one))
      for (const line of [...more(skipped, 'frames that were not played'), ...more(differing, 'frames that differ')]) io.info(line)
      const verdict = differing.count === 0 ? 'none differs' : `${differing.count} of them differ`
      io.out(`Compared ${compared} responses and events; ${verdict}.`)
    }
    return isEqual ? EXIT.ok : EXIT.failed
  },
}
