/** A process that writes tokens to a vault without end, telling each write that was acknowledged, until somebody kills it. */
import { writeSync } from 'node:fs'
import { openVault } from '../../../../../daemon/src/auth/vault/encrypted-file.ts'
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
  // Synchronous: what was acknowledged must be told even by a process that dies right after.
  writeSync(1, `${count}\n`)
}
