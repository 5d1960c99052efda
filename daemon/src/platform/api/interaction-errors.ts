/** Platform errors for interaction responses, with advice. */
import type { ErrorName } from '@sallyport/protocol'

export const INTERACTION_ERRORS: Readonly<Record<number, { readonly error: ErrorName; readonly advice: string }>> = {
  10015: { error: 'INVALID_PAYLOAD', advice: 'The application has no such interaction.' },
  10062: { error: 'INVALID_PAYLOAD', advice: 'The interaction has expired; its first response must be sent within 3 seconds.' },
  40060: { error: 'INVALID_PAYLOAD', advice: 'The interaction already has a response; edit it or send a follow-up message.' },
  40094: { error: 'INVALID_PAYLOAD', advice: 'The interaction has reached its limit of follow-up messages.' },
  50027: { error: 'INVALID_TOKEN', advice: 'The interaction token is invalid, or older than 15 minutes.' },
}
