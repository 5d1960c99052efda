/** The other side of keychain-process.ts: reads one request from stdin, asks the keychain, writes one answer to stdout, and ends. */
import { text } from 'node:stream/consumers'
import type { KeychainAnswer, KeychainRequest } from './keychain.ts'
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

/** Runs this process as the helper. `directory`: where the library may be unpacked to. */
export async function answerKeychain(directory: string): Promise<void> {
  const request = JSON.parse(await text(process.stdin)) as KeychainRequest
  const answer = await carryOut(request, () => loadKeyringAddon(directory))
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
}
