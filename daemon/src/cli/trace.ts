/** `sallyport trace`: explains one call or event of a game, or lists the calls that failed and the latest events. */
import type { CallTrace, DataOf } from '@sallyport/protocol'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { writeNewFile } from './new-file.ts'
import { asOperator } from './operator.ts'
import { harOf } from './trace-har.ts'
import { eventStoryOf, eventSummaryOf, storyOf, summaryOf } from './trace-text.ts'

/** Events are no requests, and stay out. */
function writeArchive(path: string, calls: readonly CallTrace[], { io, loaded: { settings } }: Context): ExitCode {
  const { baseUrl } = settings.profile ?? {}
  writeNewFile(path, JSON.stringify(harOf(calls, baseUrl === undefined ? undefined : new URL(baseUrl).origin)))
  io.out(settings.json ? JSON.stringify({ file: path, calls: calls.length }) : `Wrote ${calls.length} calls to ${path}.`)
  return EXIT.ok
}

export const trace: Command = {
  name: 'trace',
  summary: 'Explain one call of a game by the id in its error, or an event; or list the calls that failed and the events.',
  usage: '[ID] [flags]',
  operands: { min: 0, max: 1 },
  flags: ['application', 'all', 'har', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded, operands } = context
    const { settings, origins } = loaded
    const [id] = operands
    const show = (found: object, lines: readonly string[]): void => {
      for (const text of settings.json ? [JSON.stringify(found)] : lines) io.out(text)
    }
    const { all, har } = settings
    const selected = { all, ...(origins.application === 'default' ? {} : { application_id: settings.application }) }
    const { calls, events } = await withBridgeOnData(context, (client) =>
      asOperator<DataOf<'INSPECT_CALLS'>>(client, context, 'INSPECT_CALLS', id === undefined ? selected : { id }),
    )
    if (har !== undefined) return writeArchive(har, calls, context)
    const isOne = id !== undefined
    for (const call of calls) show(call, isOne ? storyOf(call) : [summaryOf(call)])
    for (const event of events) show(event, isOne ? eventStoryOf(event) : [eventSummaryOf(event)])
    if (calls.length + events.length === 0) io.info('No call has failed yet.')
    return EXIT.ok
  },
}
