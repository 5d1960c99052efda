/** `sallyport trace`: explains one call or event of a game, or lists the calls that failed and the latest events. */
import type { DataOf } from '@sallyport/protocol'
import type { Command } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'
import { eventStoryOf, eventSummaryOf, storyOf, summaryOf } from './trace-text.ts'

export const trace: Command = {
  name: 'trace',
  summary: 'Explain one call of a game by the id in its error, or an event; or list the calls that failed and the events.',
  usage: '[ID] [flags]',
  operands: { min: 0, max: 1 },
  flags: ['application', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded, operands } = context
    const { settings, origins } = loaded
    const [id] = operands
    const show = (trace: object, lines: readonly string[]): void => {
      for (const text of settings.json ? [JSON.stringify(trace)] : lines) io.out(text)
    }
    const selected = origins.application === 'default' ? {} : { application_id: settings.application }
    const { calls, events } = await withBridgeOnData(context, (client) =>
      asOperator<DataOf<'INSPECT_CALLS'>>(client, context, 'INSPECT_CALLS', id === undefined ? selected : { id }),
    )
    const isOne = id !== undefined
    for (const call of calls) show(call, isOne ? storyOf(call) : [summaryOf(call)])
    for (const event of events) show(event, isOne ? eventStoryOf(event) : [eventSummaryOf(event)])
    if (calls.length + events.length === 0) io.info('No call has failed yet.')
    return EXIT.ok
  },
}
