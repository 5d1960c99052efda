/**
 * The other side of keychain-process.ts: takes one request over the channel of the process that started it, asks the keychain, answers over
 * the same channel, and ends. It serves this program alone: it asks in the name of a program that a keychain may trust.
 */
import { harden } from '@sallyport/core/os/harden'
import { strangerAt } from '@sallyport/core/os/parent'
import type { KeychainAnswer, KeychainRequest } from './keychain.ts'
import { CHANNEL } from './keychain-process.ts'
import { type KeyringAddon, loadKeyringAddon } from './keychain-addon.ts'

/** Under which all our keys stand in a keychain. */
const SERVICE = 'sallyport'
/** Without this the library falls back to a store of the kernel that forgets everything at the next start of the machine. */
const STORE = { linux: { store: 'secret-service' } } as const

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))

/** Carries out one request. Never rejects. */
export async function carryOut(request: KeychainRequest, load: () => Promise<KeyringAddon>): Promise<KeychainAnswer> {
  let addon: KeyringAddon
  try {
    addon = await load()
  } catch (failure) {
    return { ok: false, problem: 'addon', message: messageOf(failure) }
  }
  try {
    const entry = new addon.AsyncEntry(SERVICE, request.account, STORE)
    switch (request.op) {
      case 'read': {
        const secret = await entry.getSecret()
        return { ok: true, secret: secret === null ? null : Buffer.from(secret).toString('base64') }
      }
      case 'write':
        await entry.setSecret(Buffer.from(request.secret ?? '', 'base64'))
        return { ok: true }
      case 'remove':
        await entry.deleteCredential()
        return { ok: true }
    }
  } catch (failure) {
    return { ok: false, problem: 'store', message: messageOf(failure) }
  }
}

/** Runs this process as the helper, to its end. Resolves with a sentence when somebody else than the bridge started it. */
export async function answerKeychain(): Promise<string> {
  if (process.send === undefined) return 'The bridge starts this by itself to ask the keychain; it answers nobody else.'
  harden()
  const stranger = strangerAt(CHANNEL)
  if (stranger !== undefined) return `The bridge starts this by itself to ask the keychain; this channel ${stranger}.`
  return new Promise(() => {
    process.once('disconnect', () => process.exit())
    process.once('message', (request: KeychainRequest) => {
      void carryOut(request, loadKeyringAddon).then((answer) => process.send?.(answer, () => process.exit()))
    })
  })
}
