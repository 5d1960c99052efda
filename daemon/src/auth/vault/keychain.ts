/** Key store in the system's keychain (Secret Service, macOS Keychain, Windows Credential Manager), accessed via a child process. */
import { Secret } from '@sallyport/core/secret'
import { type KeyStore, KeyStoreUnavailable, type WaitMode, type Unavailability } from './key-store.ts'
import { KEY_BYTES } from './sealed.ts'

export interface KeychainRequest {
  readonly op: 'read' | 'write' | 'remove'
  /** Name of the entry in the keychain. */
  readonly account: string
  /** Key to write, in base64. */
  readonly secret?: string
}

export type KeychainResponse =
  | { readonly ok: true; readonly secret?: string | null; readonly isRemoved?: boolean }
  /** `addon`: this build cannot use the system's keychain; `store`: the keychain returned an error. */
  | { readonly ok: false; readonly problem: 'addon' | 'store'; readonly message: string }

/** Sends one request to the keychain. Undefined on a timeout, or when the process died. */
export type SendToKeychain = (request: KeychainRequest, deadlineMs: number) => Promise<KeychainResponse | undefined>

/** An unlocked keychain responds in milliseconds; a user who must unlock it needs time. */
const TIMEOUT_MS: Readonly<Record<WaitMode, number>> = { brief: 5_000, patient: 120_000 }

/** The library has one error code for everything, so its message decides; the first match counts. */
const REASONS: readonly (readonly [RegExp, Unavailability])[] = [
  [/prompt was dismissed/i, 'dismissed'],
  [/no result found|is locked/i, 'locked'],
  [/not provided by any|NameHasNoOwner|ServiceUnknown|was not provided/i, 'no-service'],
  [/DBus error|dbus|DBUS_SESSION_BUS_ADDRESS/i, 'no-bus'],
]

function unavailable(response: Exclude<KeychainResponse, { ok: true }> | undefined): KeyStoreUnavailable {
  if (response === undefined) return new KeyStoreUnavailable('no-answer')
  const cause = new Error(response.message)
  if (response.problem === 'addon') return new KeyStoreUnavailable('no-addon', { cause })
  return new KeyStoreUnavailable(REASONS.find(([pattern]) => pattern.test(response.message))?.[1] ?? 'failed', { cause })
}

export function keychain(send: SendToKeychain): KeyStore {
  const call = async (request: KeychainRequest, mode: WaitMode) => {
    const response = await send(request, TIMEOUT_MS[mode])
    if (response?.ok !== true) throw unavailable(response)
    return response
  }
  return {
    async read(account, mode) {
      const { secret } = await call({ op: 'read', account }, mode)
      if (secret == null) return undefined
      const key = Buffer.from(secret, 'base64')
      return key.length === KEY_BYTES ? new Secret(key) : undefined
    },
    async write(account, key) {
      await call({ op: 'write', account, secret: key.reveal().toString('base64') }, 'brief')
    },
    async remove(account) {
      const { isRemoved } = await call({ op: 'remove', account }, 'brief')
      return isRemoved === true
    },
  }
}
