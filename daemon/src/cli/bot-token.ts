/** `login --bot` and `logout --bot`: store or delete the token of a bot in the running bridge. */
import { SettingsError } from '../config/settings-error.ts'
import type { Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { asOperator } from './operator.ts'
import { protect } from './protection.ts'

interface Bot {
  readonly application_id: string
  readonly name: string
}

const namedApplication = ({ loaded: { settings, origins } }: Context): string | undefined =>
  origins.application === 'default' ? undefined : settings.application

export async function storeBotToken(context: Context): Promise<ExitCode> {
  const { io, loaded } = context
  // Earlier than the other commands of `login`: no grant is needed, so the bridge need not identify this process.
  protect(io)
  const token = loaded.settings.botToken ?? (await io.readSecret('Bot token (hidden): '))
  if (token === undefined) throw new SettingsError('No token was given: type it, write it to stdin, or set SALLYPORT_BOT_TOKEN.')
  const expected = namedApplication(context)
  const bot = await withBridgeOnData(context, (client) =>
    asOperator<Bot>(client, context, 'SET_BOT_TOKEN', {
      token: token.reveal(),
      ...(expected === undefined ? {} : { application_id: expected }),
    }),
  )
  if (loaded.settings.json) io.out(JSON.stringify({ application: bot.application_id, name: bot.name }))
  else io.out(`Stored the bot token of application ${bot.application_id} (${bot.name}).`)
  return EXIT.ok
}

/** The requested application, or the only one with a bot token. */
function selectApplication(requested: string | undefined, bots: readonly Bot[]): string {
  const [only, ...others] = bots
  if (requested !== undefined) return requested
  if (only === undefined) throw new SettingsError('No bot token is stored.')
  if (others.length === 0) return only.application_id
  const list = bots.map(({ application_id: id, name }) => `${id} (${name})`).join(', ')
  throw new SettingsError(`Several applications have a bot token; select one with --application: ${list}.`)
}

export async function forgetBotToken(context: Context): Promise<ExitCode> {
  const { io, loaded } = context
  const { application, forgotten } = await withBridgeOnData(context, async (client) => {
    const requested = namedApplication(context)
    const { bots } = requested === undefined ? await client.call('GET_BOT_TOKENS') : { bots: [] }
    const id = selectApplication(requested, bots)
    const answer = await asOperator<{ forgotten: boolean }>(client, context, 'FORGET_BOT_TOKEN', { application_id: id })
    return { application: id, forgotten: answer.forgotten }
  })
  if (loaded.settings.json) io.out(JSON.stringify({ application, forgotten }))
  else io.out(forgotten ? `Deleted the bot token of application ${application}.` : `Application ${application} has no bot token.`)
  return EXIT.ok
}
