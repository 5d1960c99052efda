/** Errors for an unavailable vault key: what is wrong, and the remedy. */
import type { BridgeError } from '@sallyport/core/errors'
import { unavailable } from '@sallyport/core/storage/safe-folder'
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
    remedy: 'Start one that provides the Secret Service, for example: gnome-keyring-daemon --start --components=secrets',
  },
  locked: { state: 'is locked, or has no default keyring', remedy: 'Unlock it, or make a default keyring with your password program' },
  dismissed: { state: 'is locked, and the prompt to unlock it was dismissed', remedy: 'Unlock it, or answer the prompt next time' },
  'no-answer': { state: 'did not answer; it may be waiting for you to unlock it', remedy: 'Answer its prompt, or unlock it' },
  'no-addon': { state: 'cannot be used by this build on this system', remedy: 'Use a build for this system' },
  failed: { state: 'failed', remedy: 'Check it with your password program' },
}

const FILE_STORE = 'run with --vault file'

/** What is wrong with the keychain, and the remedy, as two sentences. */
export const keychainAdvice = (reason: Unavailability): string => `The system's keychain ${ADVICE[reason].state}. ${ADVICE[reason].remedy}.`

/** No key file, and the keychain that may hold the key is unavailable. */
export const keychainUnavailable = (reason: Unavailability, sealed: string, key: string): BridgeError =>
  unavailable(
    `${key} is missing, so the key of the stored tokens is in the system's keychain, which ${ADVICE[reason].state}. ${ADVICE[reason].remedy}, then try again; nothing is lost until then. To stop using the keychain: move ${sealed} away, ${FILE_STORE}, and sign in again.`,
  )

/** The settings require the keychain. */
export const keychainRequired = (reason: Unavailability): BridgeError =>
  unavailable(`The vault is set to use the system's keychain, which ${ADVICE[reason].state}. ${ADVICE[reason].remedy}, or ${FILE_STORE}.`)

/** The prompt to unlock the keychain is still open; its answer will be used. */
export const keychainPending = (): BridgeError =>
  unavailable(
    `The key of the stored tokens is in the system's keychain, which ${ADVICE['no-answer'].state}. ${ADVICE['no-answer'].remedy}, then try again.`,
  )

/** The file stays as it is in both cases: the key may still open a backup of it. */
export const unknownVault = (flaw: 'newer' | 'damaged', sealed: string): BridgeError =>
  unavailable(
    flaw === 'newer'
      ? `The stored tokens in ${sealed} have a format that this program does not know. A newer version of Sallyport wrote them. Install that version again, or move the file away and sign in again.`
      : `The stored tokens in ${sealed} are damaged: the file is no vault. Put a backup in its place, or move it away and sign in again.`,
  )

export const keyNotFound = (sealed: string, key: string): BridgeError =>
  unavailable(
    `${key} is missing and the system's keychain holds no key for ${sealed}, so the stored tokens cannot be opened. Put the key back, or move the vault away and sign in again.`,
  )

export const wrongKey = (sealed: string, key: string): BridgeError =>
  unavailable(`The stored tokens in ${sealed} do not open with ${key}. Put the right files back, or move both away and sign in again.`)
