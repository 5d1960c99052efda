/** `sallyport link`: our entry "Link account" for whoever has no dashboard open: asks a running game to begin signing in. */
import type { DashboardSnapshot } from '../admin/snapshot.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { askDashboard } from './dashboard-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

const EVENT = 'AUTHORIZE_REQUEST'

/** The application that was named, else the only one whose game listens. */
async function chosen(context: Context): Promise<string> {
  const { settings, origins } = context.loaded
  if (origins.application !== 'default') return settings.application
  const { sessions } = (await (await askDashboard(context, 'GET', '/api/state')).json()) as DashboardSnapshot
  const listening = new Set(sessions.filter(({ subscriptions }) => subscriptions.includes(EVENT)).map((session) => session.applicationId))
  const [only, ...others] = listening
  if (only === undefined)
    throw new CommandFailure(EXIT.refused, `No game is connected that waits for this. Start one that subscribes ${EVENT}.`)
  if (others.length > 0)
    throw new SettingsError(`Games of several applications wait for this; say which with --application: ${[...listening].join(', ')}.`)
  return only
}

export const link: Command = {
  name: 'link',
  summary: 'Ask a running game to link the account.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: ['application', 'dataDir', 'config'],
  async run(context) {
    const { io, loaded } = context
    const application = await chosen(context)
    const { status } = await askDashboard(context, 'POST', `/api/applications/${application}/link`)
    if (status !== 200) {
      const advice = `No game of application ${application} waits for this. Start it; one that can link accounts subscribes ${EVENT}.`
      throw new CommandFailure(EXIT.refused, advice)
    }
    io.out(
      loaded.settings.json
        ? JSON.stringify({ asked: application })
        : `Asked the game of application ${application}; it goes on from there.`,
    )
    return EXIT.ok
  },
}
