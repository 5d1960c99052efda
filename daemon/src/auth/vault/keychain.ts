/** The key in the system's keychain (Secret Service, macOS Keychain, Windows Credential Manager), asked through a process of its own. */
import { Secret } from '@sallyport/core/secret'
import { type KeyStore, KeyStoreUnavailable, type Patience, type Unavailability } from './key-store.ts'
import { KEY_BYTES } from './sealed.ts'

export interface KeychainRequest {
  readonly op: 'read' | 'write' | 'remove'
  /** Under which the keychain holds it. */
  readonly account: string
  /** What to write, in base64. */
  readonly secret?: string
}

export type KeychainAnswer =
  | { readonly ok: true; readonly secret?: string | null }
  /** `addon`: this system's keychain cannot be reached by this build at all; `store`: the keychain said no. */
  | { readonly ok: false; readonly problem: 'addon' | 'store'; readonly message: string }

/** One question to the keychain. Undefined when no answer came in time, or the process died over it. */
export type AskKeychain = (request: KeychainRequest, deadlineMs: number) => Promise<KeychainAnswer | undefined>

/** An open keychain answers in milliseconds; a person who is asked to unlock one needs time. */
const PATIENCE_MS: Readonly<Record<Patience, number>> = { brief: 5_000, patient: 120_000 }

/** The library gives one error code for everything, so its words decide; the first that fits. */
const REASONS: readonly (readonly [RegExp, Unavailability])[] = [
  [/prompt was dismissed/i, 'dismissed'],
  [/no result found|is locked/i, 'locked'],
  [/not provided by any|NameHasNoOwner|ServiceUnknown|was not provided/i, 'no-service'],
  [/DBus error|dbus|DBUS_SESSION_BUS_ADDRESS/i, 'no-bus'],
]

function unavailable(answer: Exclude<KeychainAnswer, { ok: true }> | undefined): KeyStoreUnavailable {
  if (answer === undefined) return new KeyStoreUnavailable('no-answer')
  const cause = new Error(answer.message)
  if (answer.problem === 'addon') return new KeyStoreUnavailable('no-addon', { cause })
  return new KeyStoreUnavailable(REASONS.find(([words]) => words.test(answer.message))?.[1] ?? 'failed', { cause })
}

export function keychain(ask: AskKeychain): KeyStore {
  const answered = async (request: KeychainRequest, patience: Patience) => {
    const answer = await ask(request, PATIENCE_MS[patience])
    if (answer?.ok !== true) throw unavailable(answer)
    return answer
  }
  return {
    async read(account, patience) {
      const { secret } = await answered({ op: 'read', account }, patience)
      if (secret == null) return undefined
      const key = Buffer.from(secret, 'base64')
      return key.length === KEY_BYTES ? new Secret(key) : undefined
    },
    async write(account, key) {
      await answered({ op: 'write', account, secret: key.reveal().toString('base64') }, 'brief')
    },
    async remove(account) {
      await answered({ op: 'remove', account }, 'brief')
    },
  }
}
