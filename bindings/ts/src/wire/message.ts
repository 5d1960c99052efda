/** Parses incoming messages: responses, errors, events and closes. Only this file handles unknown shapes. */
import { CLOSE_CODES, ERRORS } from '@sallyport/protocol/errors'
import type { CallErrorData } from '../errors.ts'

export type Message =
  | { readonly kind: 'response'; readonly nonce: string; readonly data: unknown }
  | { readonly kind: 'error'; readonly nonce: string | undefined; readonly data: CallErrorData }
  | { readonly kind: 'event'; readonly event: string; readonly data: unknown }

type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

function errorData(data: unknown): CallErrorData {
  const fields = isFields(data) ? data : {}
  const code = typeof fields['code'] === 'number' ? fields['code'] : ERRORS.UNKNOWN_ERROR.code
  const message = typeof fields['message'] === 'string' ? fields['message'] : 'the server sent no error message'
  return { ...fields, code, message }
}

/** Undefined for a message that the client does not know, since a newer server may send more. */
export function parseMessage(value: unknown): Message | undefined {
  if (!isFields(value)) return undefined
  const { cmd, evt, data } = value
  const nonce = typeof value['nonce'] === 'string' ? value['nonce'] : undefined
  if (cmd === 'DISPATCH') return typeof evt === 'string' ? { kind: 'event', event: evt, data } : undefined
  if (evt === 'ERROR') return { kind: 'error', nonce, data: errorData(data) }
  return nonce === undefined ? undefined : { kind: 'response', nonce, data }
}

export function parseClose(value: unknown): { readonly code: number; readonly message: string } {
  const fields = isFields(value) ? value : {}
  return {
    code: typeof fields['code'] === 'number' ? fields['code'] : CLOSE_CODES.CLOSE_ABNORMAL.code,
    message: typeof fields['message'] === 'string' ? fields['message'] : '',
  }
}
