/** `sallyport logout`: the bridge forgets and revokes the tokens it keeps for an application. */
import { forgetBotToken } from './bot-token.ts'
import type { Command } from './command.ts'
import { signInIfKnown, withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'

export const logout: Command = {
  name: 'logout',
  summary: 'Forget the tokens of an application. With --bot: the token of its bot.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: ['application', 'platform', 'runtimeDir', 'config', 'bot', 'dataDir'],
  async run(context) {
    const { settings } = context.loaded
    if (settings.bot) return forgetBotToken(context)
    const data = await withBridge(context, async (client) => {
      await signInIfKnown(client, context.io)
      return client.request('FORGET_TOKENS')
    })
    if (settings.json) context.io.out(JSON.stringify(data ?? null))
    else context.io.out(`Signed out of application ${settings.application}.`)
    return EXIT.ok
  },
}
