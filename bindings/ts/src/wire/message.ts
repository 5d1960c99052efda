/** What arrives, parsed once at the edge: answers, errors, events and closes. Unknown shapes are refused here and nowhere else. */
import { CLOSE_CODES, ERRORS } from '@sallyport/protocol/errors'
import type { CallErrorData } from '../errors.ts'

export type Message =
  | { readonly kind: 'answer'; readonly nonce: string; readonly data: unknown }
  | { readonly kind: 'error'; readonly nonce: string | undefined; readonly data: CallErrorData }
  | { readonly kind: 'event'; readonly event: string; readonly data: unknown }

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

function errorData(data: unknown): CallErrorData {
  const fields = isFields(data) ? data : {}
  const code = typeof fields['code'] === 'number' ? fields['code'] : ERRORS.UNKNOWN_ERROR.code
  const message = typeof fields['message'] === 'string' ? fields['message'] : 'the server gave no reason'
  return { ...fields, code, message }
}

/** Undefined for what the client does not understand: a newer server may say more than this client knows. */
export function parseMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined
  const { cmd, evt, data } = value
  const nonce = typeof value['nonce'] === 'string' ? value['nonce'] : undefined
  if (cmd === 'DISPATCH') return typeof evt === 'string' ? { kind: 'event', event: evt, data } : undefined
  if (evt === 'ERROR') return { kind: 'error', nonce, data: errorData(data) }
  return nonce === undefined ? undefined : { kind: 'answer', nonce, data }
}

export function parseClose(value: unknown): { readonly code: number; readonly message: string } {
  const fields = isFields(value) ? value : {}
  return {
    code: typeof fields['code'] === 'number' ? fields['code'] : CLOSE_CODES.CLOSE_ABNORMAL.code,
    message: typeof fields['message'] === 'string' ? fields['message'] : '',
  }
}
