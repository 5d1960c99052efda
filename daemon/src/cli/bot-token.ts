/** `login --bot` and `logout --bot`: the operator hands the running bridge the token of a bot, or has it forget one. */
import { SettingsError } from '../config/settings-error.ts'
import type { Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { asOperator } from './operator.ts'

interface Bot {
  readonly application_id: string
  readonly name: string
}

const named = ({ loaded: { settings, origins } }: Context): string | undefined =>
  origins.application === 'default' ? undefined : settings.application

export async function storeBotToken(context: Context): Promise<ExitCode> {
  const { io, loaded } = context
  const token = loaded.settings.botToken ?? (await io.readSecret('Token of the bot (it is not shown): '))
  if (token === undefined) throw new SettingsError('There is no token: type it, write it to stdin, or set SALLYPORT_BOT_TOKEN.')
  const expected = named(context)
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

/** The one that is meant: the one named, or the only one there is. */
function chosen(wanted: string | undefined, bots: readonly Bot[]): string {
  const [only, ...others] = bots
  if (wanted !== undefined) return wanted
  if (only === undefined) throw new SettingsError('There is no stored bot token.')
  if (others.length === 0) return only.application_id
  const list = bots.map(({ application_id: id, name }) => `${id} (${name})`).join(', ')
  throw new SettingsError(`There are bot tokens of several applications; name one with --application: ${list}.`)
}

export async function forgetBotToken(context: Context): Promise<ExitCode> {
  const { io, loaded } = context
  const { application, forgotten } = await withBridgeOnData(context, async (client) => {
    const wanted = named(context)
    const { bots } = wanted === undefined ? await client.call('GET_BOT_TOKENS') : { bots: [] }
    const id = chosen(wanted, bots)
    const answer = await asOperator<{ forgotten: boolean }>(client, context, 'FORGET_BOT_TOKEN', { application_id: id })
    return { application: id, forgotten: answer.forgotten }
  })
  if (loaded.settings.json) io.out(JSON.stringify({ application, forgotten }))
  else io.out(forgotten ? `Forgot the bot token of application ${application}.` : `There is no bot token of application ${application}.`)
  return EXIT.ok
}
