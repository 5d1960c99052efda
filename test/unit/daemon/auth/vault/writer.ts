/** A process that writes tokens to a vault forever and prints each acknowledged write, until it is killed. */
import { writeSync } from 'node:fs'
import { openVault } from '#daemon/src/auth/vault/encrypted-file.ts'
import { Secret } from '@sallyport/core/secret'
import { noKeychain } from './fake-keychain.ts'

const [directory = '', from = '0'] = process.argv.slice(2)
const { tokens: vault } = await openVault({ dataDirectory: directory, store: 'auto', keychain: noKeychain('no-bus') })
for (let count = Number(from); ; count += 1) {
  await vault.put('key', {
    applicationId: '1',
    userId: '2',
    accessToken: new Secret('x'.repeat(count % 5000)),
    refreshToken: new Secret(String(count)),
    scopes: [],
    expiresAt: count,
  })
  // Synchronous, so that an acknowledged write is printed even when the process dies right after.
  writeSync(1, `${count}\n`)
}
