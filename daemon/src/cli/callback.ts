/** `sallyport callback`: delivers an authorization callback of a custom scheme to the running bridge. The URL contains a code, so it is never printed and sent only to the bridge on this data folder. */
import type { Command } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'

export const callback: Command = {
  name: 'callback',
  summary: 'Deliver an authorization callback of a custom URL scheme.',
  usage: '[flags] URL',
  operands: { min: 1, max: 1 },
  // A quote in the URL could end it in the command line of the system, and the rest could be parsed as flags.
  isOperandLast: true,
  flags: FIND_FLAGS,
  async run(context) {
    const [url = ''] = context.operands
    const delivered = await withBridgeOnData(context, (client) => client.call('DELIVER_AUTHORIZE_CALLBACK', { url }))
    const { application_id: application, outcome, error } = delivered
    if (outcome === 'refused') {
      throw new CommandFailure(
        EXIT.refused,
        `The sign-in of application ${application} was refused: ${error}. The game received the error.`,
        {
          application,
          outcome,
          error,
        },
      )
    }
    const { json } = context.loaded.settings
    context.io.out(json ? JSON.stringify({ application, outcome }) : `Delivered the callback to the game (application ${application}).`)
    return EXIT.ok
  },
}
