/** `sallyport login`: signs in via the browser and the running bridge, which stores the tokens; `--bot` stores the token of a bot. */
import { requireTerminal } from './at-terminal.ts'
import { storeBotToken } from './bot-token.ts'
import type { Command } from './command.ts'
import { CONSENT_MS, withBridge } from './daemon-client.ts'
import { signInOnDevice } from './device-login.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { followSignIn } from './sign-in-steps.ts'

const NOT_STORED =
  'You allowed it, but the bridge could not store the sign-in. See vault_problem in `sallyport status`, then sign in again.'

export const login: Command = {
  name: 'login',
  summary: 'Sign in for an application via the browser. With --bot: store its bot token.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['application', 'scopes', 'platform', 'runtimeDir', 'config', 'device', 'bot', 'botToken', 'dataDir', 'nonInteractive'],
  async run(context) {
    const { settings } = context.loaded
    if (settings.bot) return storeBotToken(context)
    requireTerminal('login', context)
    const requested = settings.scopes.split(/\s+/)
    if (!settings.device) context.io.info('Signing in. The bridge may ask for your permission first; then a browser opens. Ctrl-C cancels.')
    const { user, scopes, expires, kept } = await withBridge(context, async (client) => {
      const endSteps = followSignIn(context)
      try {
        return await (settings.device
          ? signInOnDevice(client, requested, CONSENT_MS, context.io)
          : client.askToSignIn({ scopes: requested, timeoutMs: CONSENT_MS }))
      } finally {
        await endSteps()
      }
    })
    if (kept === false) throw new CommandFailure(EXIT.failed, NOT_STORED)
    if (settings.json) context.io.out(JSON.stringify({ application: settings.application, user, scopes, expires }))
    else context.io.out(`Signed in as ${user.username} (${user.id}) for application ${settings.application}: ${scopes.join(' ')}`)
    return EXIT.ok
  },
}
