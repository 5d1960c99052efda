/** `sallyport link`: requests a running game to sign in, as *Link account* of dashboard and tray does. */
import type { SallyportClient } from '@sallyport/client'
import type { BridgeState } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'

const EVENT = 'AUTHORIZE_REQUEST'

/** The application of --application, or the only one with a subscribed game. */
async function selectApplication(client: SallyportClient, context: Context): Promise<string> {
  const { settings, origins } = context.loaded
  if (origins.application !== 'default') return settings.application
  const { games } = await asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})
  const listening = new Set(games.filter(({ subscriptions }) => subscriptions.includes(EVENT)).map((game) => game.application_id))
  const [only, ...others] = listening
  if (only === undefined) throw new CommandFailure(EXIT.refused, `No connected game subscribes ${EVENT}. Start one that does.`)
  if (others.length > 0)
    throw new SettingsError(
      `Games of several applications subscribe ${EVENT}; select one with --application: ${[...listening].join(', ')}.`,
    )
  return only
}

export const link: Command = {
  name: 'link',
  summary: 'Request a running game to link the account.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['application', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded } = context
    const { application, done } = await withBridgeOnData(context, async (client) => {
      const id = await selectApplication(client, context)
      const answer = await asOperator<{ done: boolean }>(client, context, 'OPERATE_BRIDGE', { action: 'link', id })
      return { application: id, done: answer.done }
    })
    if (!done) {
      const advice = `No connected game of application ${application} subscribes ${EVENT}. Start the game.`
      throw new CommandFailure(EXIT.refused, advice)
    }
    io.out(
      loaded.settings.json
        ? JSON.stringify({ asked: application })
        : `Sent the request to the game of application ${application}; continue there.`,
    )
    return EXIT.ok
  },
}
