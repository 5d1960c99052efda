/** JSON codes with which the platform refuses answers to interactions, and what the caller can do about each. */
import type { ErrorName } from '@sallyport/protocol'

export const INTERACTION_ERRORS: Readonly<Record<number, { readonly error: ErrorName; readonly advice: string }>> = {
  10015: { error: 'INVALID_PAYLOAD', advice: 'The application has no such interaction.' },
  10062: { error: 'INVALID_PAYLOAD', advice: 'There is no such interaction any more: its first answer must come within 3 seconds.' },
  40060: { error: 'INVALID_PAYLOAD', advice: 'The interaction was answered already; edit that answer or write a follow-up message.' },
  40094: { error: 'INVALID_PAYLOAD', advice: 'The interaction has had all the follow-up messages that are allowed.' },
  50027: { error: 'INVALID_TOKEN', advice: 'The token of the interaction is wrong, or older than 15 minutes.' },
}
