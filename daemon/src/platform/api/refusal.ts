/** Calls that are refused without a request: operations that apps cannot use, and calls without the token the row needs. Pure. */
import type { EndpointRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Credential } from './upstream.ts'

interface Rule {
  readonly accepts: (credential: Credential | undefined) => boolean
  readonly message: string
}

const RULES: Record<EndpointRow['auth'], Rule> = {
  user: { accepts: (credential) => credential?.kind === 'user', message: 'This needs a signed-in user: authorize and authenticate first.' },
  bot: {
    accepts: (credential) => credential?.kind === 'bot',
    message: 'This needs the bot token of the application, which the operator of the bridge has not set.',
  },
  'user-or-bot': {
    accepts: (credential) => credential !== undefined,
    message: 'This needs a signed-in user: authorize and authenticate first.',
  },
  interaction: { accepts: () => true, message: '' },
  client: { accepts: () => true, message: '' },
  none: { accepts: () => true, message: '' },
}

/** Why this call may not be sent; undefined when it may. */
export function refusal(row: EndpointRow, credential: Credential | undefined): BridgeError | undefined {
  if (row.unavailable !== undefined) {
    return new BridgeError('SERVICE_UNAVAILABLE', `${row.name} is not available since ${row.unavailable.since}: ${row.unavailable.reason}`)
  }
  const rule = RULES[row.auth]
  return rule.accepts(credential) ? undefined : new BridgeError('INVALID_PERMISSIONS', rule.message)
}
