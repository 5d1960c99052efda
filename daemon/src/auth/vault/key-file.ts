/** Key store in a file that only this user may read, used without a keychain. Other programs of the same user can read it. */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Secret } from '@sallyport/core/secret'
import { unavailable } from '@sallyport/core/storage/safe-folder'
import type { KeyStore } from './key-store.ts'
import { readPrivateFile, replacePrivateFile } from './private-file.ts'
import { KEY_BYTES } from './sealed.ts'

/** One key for any id, because the folder identifies the vault. Rejects with SERVICE_UNAVAILABLE for a file that is no private key. */
export const keyFile = (file: string): KeyStore => ({
  async read() {
    const found = await readPrivateFile(file)
    if (found === undefined || found.length === KEY_BYTES) return found && new Secret(found)
    throw unavailable(`${file} is not a key of ${KEY_BYTES} bytes. Put the right file back, or move the vault away and sign in again.`)
  },
  write: (_id, key) => replacePrivateFile(file, key.reveal()),
  async remove() {
    const wasThere = existsSync(file)
    await rm(file, { force: true })
    return wasThere
  },
})
