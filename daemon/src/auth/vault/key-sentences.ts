/** What a person is told when the key of the vault cannot be had: what is wrong, and what to do about it. */
import type { BridgeError } from '@sallyport/core/errors'
import { refused } from '@sallyport/core/storage/safe-folder'
import type { Unavailability } from './key-store.ts'

interface Advice {
  /** Continues `The system's keychain …`. */
  readonly state: string
  readonly remedy: string
}

const ADVICE: Readonly<Record<Unavailability, Advice>> = {
  'no-bus': {
    state: 'cannot be reached: this process has no session bus',
    remedy: 'Start the bridge inside your desktop session, or under dbus-run-session with a keyring',
  },
  'no-service': {
    state: 'is not running on the session bus',
    remedy: 'Start one that offers the Secret Service, for example: gnome-keyring-daemon --start --components=secrets',
  },
  locked: { state: 'is locked, or has no default keyring', remedy: 'Unlock it, or make a default keyring with your password program' },
  dismissed: { state: 'is locked, and the question to unlock it was dismissed', remedy: 'Unlock it, or answer the question next time' },
  'no-answer': { state: 'did not answer; it may be waiting for you to unlock it', remedy: 'Answer its question, or unlock it' },
  'no-addon': { state: 'cannot be used by this build on this system', remedy: 'Use a build for this system' },
  failed: { state: 'failed', remedy: 'Check it with your password program' },
}

const FILE_STORE = 'run with --vault file'

/** The key is not beside the vault, and the other place where it can be does not say. */
export const lockedOut = (reason: Unavailability, sealed: string, key: string): BridgeError =>
  refused(
    `${key} is missing, so the key of the stored tokens is in the system's keychain, which ${ADVICE[reason].state}. ${ADVICE[reason].remedy}, then try again; nothing is lost until then. To do without the keychain: move ${sealed} away, ${FILE_STORE}, and sign in again.`,
  )

/** The operator wants the keychain and nothing else. */
export const noKeychain = (reason: Unavailability): BridgeError =>
  refused(`The vault is set to use the system's keychain, which ${ADVICE[reason].state}. ${ADVICE[reason].remedy}, or ${FILE_STORE}.`)

/** The question to unlock it is still open; the answer will be used. */
export const stillWaiting = (): BridgeError =>
  refused(
    `The key of the stored tokens is in the system's keychain, which ${ADVICE['no-answer'].state}. ${ADVICE['no-answer'].remedy}, then try again.`,
  )

export const notFound = (sealed: string, key: string): BridgeError =>
  refused(
    `${key} is missing and the system's keychain holds no key for ${sealed}, so the stored tokens cannot be opened. Put the key back, or move the vault away and sign in again.`,
  )

export const notOpening = (sealed: string, key: string): BridgeError =>
  refused(`The stored tokens in ${sealed} do not open with ${key}. Put the right files back, or move both away and sign in again.`)
