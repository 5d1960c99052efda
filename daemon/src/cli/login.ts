/** `sallyport login`: asks the user in the browser, through the running bridge, which keeps the tokens. */
import type { Command } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'

/** Milliseconds the user has to answer in the browser. */
const CONSENT_MS = 300_000

export const login: Command = {
  name: 'login',
  summary: 'Sign in for an application; the browser asks.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: ['application', 'scopes', 'platform', 'runtimeDir', 'config'],
  async run(context) {
    const { settings } = context.loaded
    context.io.say('Waiting for the answer in the browser…')
    const { user, scopes, expires } = await withBridge(context, (client) =>
      client.signIn({ scopes: settings.scopes.split(/\s+/), timeoutMs: CONSENT_MS }),
    )
    if (settings.json) context.io.out(JSON.stringify({ application: settings.application, user, scopes, expires }))
    else context.io.out(`Signed in as ${user.username} (${user.id}) for application ${settings.application}: ${scopes.join(' ')}`)
    return EXIT.ok
  },
}
