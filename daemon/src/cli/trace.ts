/** `sallyport trace`: explains one call of a game, or lists those that failed. */
import type { DataOf } from '@sallyport/protocol'
import type { Command } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'
import { storyOf, summaryOf } from './trace-text.ts'

export const trace: Command = {
  name: 'trace',
  summary: 'Explain one call of a game by the id in its error, or list the calls that failed.',
  usage: '[ID] [flags]',
  operands: { min: 0, max: 1 },
  flags: ['application', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded, operands } = context
    const { settings, origins } = loaded
    const [id] = operands
    const selected = origins.application === 'default' ? {} : { application_id: settings.application }
    const { calls } = await withBridgeOnData(context, (client) =>
      asOperator<DataOf<'INSPECT_CALLS'>>(client, context, 'INSPECT_CALLS', id === undefined ? selected : { id }),
    )
    for (const call of calls) {
      if (settings.json) io.out(JSON.stringify(call))
      else for (const text of id === undefined ? [summaryOf(call)] : storyOf(call)) io.out(text)
    }
    if (calls.length === 0) io.info('No call has failed yet.')
    return EXIT.ok
  },
}
