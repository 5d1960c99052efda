/** The check of `sallyport doctor` about the keychain that holds the key of the stored tokens. Stores nothing, and asks the user nothing. */
import { execFile } from 'node:child_process'
import { keychainEntryOf } from '../auth/vault/encrypted-file.ts'
import { keychainAdvice } from '../auth/vault/key-errors.ts'
import { type KeyStore, KeyStoreUnavailable, type Unavailability } from '../auth/vault/key-store.ts'
import type { Settings } from '../config/load.ts'
import { type CheckState, type Finding, found, messageOf } from './doctor-finding.ts'

/** An entry that no bridge stores; reading it needs no unlocking. */
const NO_ENTRY = 'sallyport-doctor'
const BUS_MS = 3000

/** What the Secret Service says of its default collection; undefined if nothing could be learned. */
export type DefaultCollection = 'locked' | 'unlocked' | 'missing' | undefined

/** Linux only: reading an entry shows no lock if there is no such entry. */
export const defaultCollection = (): Promise<DefaultCollection> =>
  new Promise((resolve) => {
    const words = [
      '--session',
      '--print-reply=literal',
      '--dest=org.freedesktop.secrets',
      '/org/freedesktop/secrets/aliases/default',
      'org.freedesktop.DBus.Properties.Get',
      'string:org.freedesktop.Secret.Collection',
      'string:Locked',
    ]
    execFile('dbus-send', words, { timeout: BUS_MS }, (failure, printed, said) => {
      if (failure === null) resolve(printed.includes('true') ? 'locked' : 'unlocked')
      else resolve(/UnknownObject|UnknownMethod|NoSuchObject|No such (?:interface|object)/i.test(said) ? 'missing' : undefined)
    })
  })

/** `needed`: the stored tokens open with a key that only the keychain has. */
function stateFor(reason: Unavailability, { vault }: Pick<Settings, 'vault'>, needed: boolean): CheckState {
  if (vault === 'keychain' || needed || reason === 'locked' || reason === 'dismissed' || reason === 'no-answer') return 'wrong'
  // The bridge of a desktop session may reach what this process does not.
  return reason === 'no-service' ? 'ok' : 'not checked'
}

export async function checkKeychain(
  settings: Pick<Settings, 'vault' | 'dataDir'>,
  store: Pick<KeyStore, 'read'>,
  collection: () => Promise<DefaultCollection>,
): Promise<Finding> {
  const { vault, dataDir } = settings
  let entry: string | undefined
  try {
    entry = keychainEntryOf(dataDir)
  } catch (failure) {
    return found('keychain', 'not checked', `The vault cannot be read: ${messageOf(failure)}`)
  }
  if (vault === 'file' && entry === undefined)
    return found('keychain', 'ok', 'The settings keep the key of the tokens in a file (--vault file).')
  const unavailable = (reason: Unavailability): Finding => {
    const fallback =
      entry !== undefined
        ? ' It holds the key of the stored tokens, so no game can sign in until then.'
        : vault === 'auto'
          ? ' Until then, a new key is kept in a file that only you can read.'
          : ' Or run with --vault file.'
    return found('keychain', stateFor(reason, settings, entry !== undefined), `${keychainAdvice(reason)}${fallback}`)
  }
  const state = await collection()
  if (state === 'locked' || state === 'missing') return unavailable('locked')
  try {
    const key = await store.read(entry ?? NO_ENTRY, 'brief')
    if (entry !== undefined && key === undefined)
      return found(
        'keychain',
        'wrong',
        "The system's keychain has no key for the stored tokens. Put it back, or move the vault away and sign in again.",
      )
    return found('keychain', 'ok', "The system's keychain can be used.")
  } catch (failure) {
    if (failure instanceof KeyStoreUnavailable) return unavailable(failure.reason)
    throw failure
  }
}
