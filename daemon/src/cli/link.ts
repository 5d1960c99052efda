/** `sallyport link`: the "Link account" action of the dashboard; requests a running game to sign in. */
import type { BridgeState } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { requestDashboard } from './dashboard-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

const EVENT = 'AUTHORIZE_REQUEST'

/** The application of --application, or the only one with a subscribed game. */
async function selectApplication(context: Context): Promise<string> {
  const { settings, origins } = context.loaded
  if (origins.application !== 'default') return settings.application
  const { games } = (await (await requestDashboard(context, 'GET', '/api/state')).json()) as BridgeState
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
  flags: ['application', 'dataDir', 'config'],
  async run(context) {
    const { io, loaded } = context
    const application = await selectApplication(context)
    const { status } = await requestDashboard(context, 'POST', `/api/applications/${application}/link`)
    if (status !== 200) {
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
