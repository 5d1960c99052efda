/** The key of a call that takes effect once: 16 random bytes, as hexadecimal digits. Pure. */
import { BridgeError } from '@sallyport/core/errors'
import { addWarnings } from '../ipc/connection/with-warnings.ts'

const KEY = /^[0-9a-f]{32}$/

const UNUSED = [
  { path: 'key', reason: 'This command takes no key: a repeat has no further effect, or is another call. It was made without the key.' },
]

/** Throws INVALID_PAYLOAD. */
export function assertKey(key: string): void {
  if (!KEY.test(key))
    throw new BridgeError('INVALID_PAYLOAD', '"key" must be 32 hexadecimal digits in lower case: 16 random bytes.', { path: 'key' })
}

/** The result of a command that takes no key. */
export const withUnusedKey = (result: unknown): unknown => addWarnings(result, UNUSED)
