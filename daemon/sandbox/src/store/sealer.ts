/**
 * Texts that must be given back and yet not lie open in the state file: sealed with AES-256-GCM under a key in a file of its own beside it.
 * It keeps out whoever reads the state file alone, such as in a bug report; both files together give all away.
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

export interface Sealer {
  /** `purpose` is what the text is, and is asked for again when it is opened. */
  seal(text: string, purpose: string): string
  /** Undefined when it was not sealed here for this purpose: another key, or a state file from before there was one. */
  open(sealed: string, purpose: string): string | undefined
}

/**
 * `keyFile` undefined: nothing outlives the process. A key that is no key is replaced, and what it sealed is then as if it had never been.
 * Throws SERVICE_UNAVAILABLE when the file cannot be used.
 */
export function openSealer(keyFile: string | undefined): Sealer {
  const key = keyFile === undefined ? randomBytes(KEY_BYTES) : keyIn(keyFile)
  return {
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    open(sealed, purpose) {
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

/** Whole or not at all: half a key after a crash would lose what the next one seals. */
function newKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES)
  writeSmallFile(file, key)
  return key
}
