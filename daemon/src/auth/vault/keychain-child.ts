/**
 * Child process of keychain-client.ts: reads one request from the channel of its parent, calls the keychain, responds via the same channel
 * and exits. It serves this program only, because a keychain may trust it.
 */
import { harden } from '@sallyport/core/os/harden'
import { channelOriginProblem } from '@sallyport/core/os/parent'
import type { KeychainResponse, KeychainRequest } from './keychain.ts'
import { CHANNEL } from './keychain-client.ts'
import { type KeyringAddon, loadKeyringAddon } from './keychain-addon.ts'

/** Service name of all entries in the keychain. */
const SERVICE = 'sallyport'
/** Without this the library falls back to the kernel keyring, which a reboot clears. */
const STORE = { linux: { store: 'secret-service' } } as const

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))

/** Performs one request. Never rejects. */
export async function handleRequest(request: KeychainRequest, load: () => Promise<KeyringAddon>): Promise<KeychainResponse> {
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
        return { ok: true, isRemoved: await entry.deleteCredential() }
    }
  } catch (failure) {
    return { ok: false, problem: 'store', message: messageOf(failure) }
  }
}

/** Runs this process as the keychain child until it exits. Resolves with an error sentence when the bridge is not its parent. */
export async function runKeychainChild(): Promise<string> {
  if (process.send === undefined) return 'Only the bridge starts this process, to access the keychain.'
  harden()
  const originProblem = channelOriginProblem(CHANNEL)
  if (originProblem !== undefined) return `Only the bridge starts this process, to access the keychain; this channel ${originProblem}.`
  return new Promise(() => {
    process.once('disconnect', () => process.exit())
    process.once('message', (request: KeychainRequest) => {
      void handleRequest(request, loadKeyringAddon).then((answer) => process.send?.(answer, () => process.exit()))
    })
  })
}
