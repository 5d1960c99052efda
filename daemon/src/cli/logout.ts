/** `sallyport logout`: the bridge deletes and revokes the stored tokens of an application. */
import { forgetBotToken } from './bot-token.ts'
import type { Command } from './command.ts'
import { signInIfStored, withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'

export const logout: Command = {
  name: 'logout',
  summary: 'Delete the stored tokens of an application. With --bot: its bot token.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['application', 'bot', ...FIND_FLAGS],
  async run(context) {
    const { settings } = context.loaded
    if (settings.bot) return forgetBotToken(context)
    const data = await withBridge(context, async (client) => {
      await signInIfStored(client, context.io)
      return client.request('FORGET_TOKENS')
    })
    if (settings.json) context.io.out(JSON.stringify(data ?? null))
    else context.io.out(`Signed out of application ${settings.application}.`)
    return EXIT.ok
  },
}
