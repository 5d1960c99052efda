/** Rejects calls without a request: unavailable operations, and calls without the required token. Pure. */
import type { EndpointRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import type { Credential } from './forwarder-port.ts'

interface Rule {
  readonly accepts: (credential: Credential | undefined) => boolean
  readonly message: string
}

const RULES: Record<EndpointRow['auth'], Rule> = {
  user: {
    accepts: (credential) => credential?.kind === 'user',
    message: 'This call needs a signed-in user: authorize and authenticate first.',
  },
  bot: {
    accepts: (credential) => credential?.kind === 'bot',
    message: 'This call needs the bot token of the application, which is not configured on the bridge.',
  },
  'user-or-bot': {
    accepts: (credential) => credential !== undefined,
    message: 'This call needs a signed-in user: authorize and authenticate first.',
  },
  interaction: { accepts: () => true, message: '' },
  client: { accepts: () => true, message: '' },
  none: { accepts: () => true, message: '' },
}

/** The error for an operation that the platform no longer has; undefined if it has it. */
export const unavailability = ({ unavailable }: EndpointRow): BridgeError | undefined =>
  unavailable && new BridgeError('INVALID_COMMAND', `${unavailable.reason} (since ${unavailable.since})`)

/** The error for a call that must not be sent; undefined if it may be sent. */
export function refusal(row: EndpointRow, credential: Credential | undefined): BridgeError | undefined {
  const gone = unavailability(row)
  if (gone !== undefined) return gone
  const rule = RULES[row.auth]
  return rule.accepts(credential) ? undefined : new BridgeError('INVALID_PERMISSIONS', rule.message)
}
