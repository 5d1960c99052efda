/** `sallyport login`: asks the user in the browser, through the running bridge, which keeps the tokens; or hands it the token of a bot. */
import { requirePerson } from './at-terminal.ts'
import { storeBotToken } from './bot-token.ts'
import type { Command } from './command.ts'
import { CONSENT_MS, withBridge } from './daemon-client.ts'
import { signInOnDevice } from './device-login.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

const NOT_KEPT =
  'You allowed it, but the bridge could not keep the sign-in: `sallyport status` says why, as vault_problem. Then sign in again.'

export const login: Command = {
  name: 'login',
  summary: 'Sign in for an application, in a terminal; the browser asks. With --bot: store the token of its bot.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: ['application', 'scopes', 'platform', 'runtimeDir', 'config', 'device', 'bot', 'botToken', 'dataDir', 'nonInteractive'],
  async run(context) {
    const { settings } = context.loaded
    if (settings.bot) return storeBotToken(context)
    requirePerson('login', context)
    const asked = settings.scopes.split(/\s+/)
    if (!settings.device) context.io.say('Waiting for the answer in the browser…')
    const { user, scopes, expires, kept } = await withBridge(context, (client) =>
      settings.device ? signInOnDevice(client, asked, CONSENT_MS, context.io) : client.signIn({ scopes: asked, timeoutMs: CONSENT_MS }),
    )
    if (kept === false) throw new CommandFailure(EXIT.failed, NOT_KEPT)
    if (settings.json) context.io.out(JSON.stringify({ application: settings.application, user, scopes, expires }))
    else context.io.out(`Signed in as ${user.username} (${user.id}) for application ${settings.application}: ${scopes.join(' ')}`)
    return EXIT.ok
  },
}
