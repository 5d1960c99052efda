/**
 * Encrypts secrets in the state file: AES-256-GCM with a key in a separate file beside it.
 * It protects a state file alone, for example in a bug report; both files together reveal all secrets.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { constants, fstatSync, readFileSync } from 'node:fs'
import { BridgeError } from '@sallyport/core/errors'
import { withPrivateFile } from '@sallyport/core/storage/safe-folder'
import { writeSmallFile } from '@sallyport/core/storage/small-file'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type Sealer = ReturnType<typeof openSealer>

/**
 * `keyFile` undefined: the key ends with the process. An invalid key is replaced, and its sealed texts are lost.
 * Throws SERVICE_UNAVAILABLE when the file cannot be used.
 */
export function openSealer(keyFile: string | undefined) {
  const key = keyFile === undefined ? randomBytes(KEY_BYTES) : keyIn(keyFile)
  return {
    /** `purpose` is the kind of text; opening needs the same one. */
    seal(text: string, purpose: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    /** Undefined when it was sealed with another key or purpose. */
    open(sealed: string, purpose: string): string | undefined {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString()
      } catch {
        return undefined
      }
    },
  }
}

function keyIn(file: string): Buffer {
  try {
    return storedKey(file) ?? newKey(file)
  } catch (failure) {
    if (failure instanceof BridgeError) throw failure
    const reason = failure instanceof Error ? failure.message : 'unknown reason'
    throw new BridgeError('SERVICE_UNAVAILABLE', `The sandbox cannot use its key file ${file} (${reason}).`, {}, { cause: failure })
  }
}

const storedKey = (file: string): Buffer | undefined =>
  withPrivateFile(file, constants.O_RDONLY, (fd) => (fstatSync(fd).size === KEY_BYTES ? readFileSync(fd) : undefined))

/** Written atomically: half a key after a crash would make later secrets unreadable. */
function newKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES)
  writeSmallFile(file, key)
  return key
}
