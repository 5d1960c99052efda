/** `sallyport callback`: brings the running bridge an answer that the system delivered to a custom scheme. The address carries a code, so it is never printed and goes to no other bridge. */
import type { Command } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

export const callback: Command = {
  name: 'callback',
  summary: 'Hand over the answer of a sign-in that came to a custom scheme.',
  usage: '[flags] URL',
  operands: { least: 1, most: 1 },
  // A quote in the address would end it where the system puts it into a line, and what follows would be flags.
  isOperandLast: true,
  flags: ['platform', 'runtimeDir', 'dataDir', 'config'],
  async run(context) {
    const [url = ''] = context.operands
    const delivered = await withBridgeOnData(context, (client) => client.call('DELIVER_AUTHORIZE_CALLBACK', { url }))
    const { application_id: application, outcome, error } = delivered
    if (outcome === 'refused') {
      throw new CommandFailure(EXIT.refused, `The sign-in of application ${application} was refused: ${error}. The game was told.`, {
        application,
        outcome,
        error,
      })
    }
    const { json } = context.loaded.settings
    context.io.out(json ? JSON.stringify({ application, outcome }) : `The game (application ${application}) has its answer.`)
    return EXIT.ok
  },
}
