/** Which token a call of the HTTP API carries, as its trace says it. */
import type { ChosenToken } from '@sallyport/core/current-call'
import type { EndpointRow, TokenUse } from '@sallyport/protocol'
import type { Credential } from '../platform/api/forwarder-port.ts'

export function chosenToken(row: EndpointRow, planned: TokenUse, credential: Credential | undefined): ChosenToken {
  if (credential === undefined) return { kind: 'none', reason: 'The operation takes no token.' }
  if (credential.kind === 'bot') {
    const reason =
      planned === 'bot' ? 'Only the bot of the application may do this.' : 'The application has a bot token, and it may be used.'
    return { kind: 'bot', reason }
  }
  const { userId } = credential
  const reason = planned === 'user' ? `${row.name} acts for the signed-in user.` : 'The bridge has no bot token of the application.'
  return { kind: 'user', ...(userId === undefined ? {} : { user_id: userId }), reason }
}
