/** Seals the results of calls with a key, and hashes their arguments, with keys that the vault gives. */
import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from 'node:crypto'
import type { Secret } from '@sallyport/core/secret'
import { canonicalText } from './canonical.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Of whom a key is. Another program, application, account or platform with the same key is another call. */
export interface KeyOwner {
  readonly platform: string
  /** As accounting counts it. */
  readonly program: string
  readonly applicationId: string
  readonly account: string
}

/** The key has 128 random bits, so the id does not give the owner. */
export const callIdFor = ({ platform, program, applicationId, account }: KeyOwner, key: string): Buffer =>
  hash('sha256', JSON.stringify([platform, program, applicationId, account, key]), 'buffer')

export class ResultSeal {
  readonly #ofArguments: Secret<Buffer>
  readonly #ofResults: Secret<Buffer>

  constructor(ofArguments: Secret<Buffer>, ofResults: Secret<Buffer>) {
    this.#ofArguments = ofArguments
    this.#ofResults = ofResults
  }

  /** Keyed, because arguments can be guessed. A string of one byte a character. */
  argumentsHash(command: string, args: unknown): string {
    return createHmac('sha256', this.#ofArguments.reveal())
      .update(`${command}\0${canonicalText(args)}`)
      .digest('latin1')
  }

  /** nonce (12) │ tag (16) │ ciphertext. It opens only for this id. */
  seal(id: Uint8Array, text: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#ofResults.reveal(), nonce, { authTagLength: TAG_BYTES }).setAAD(id)
    const sealed = cipher.update(text, 'utf8')
    cipher.final()
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Undefined if the bytes were changed. */
  open(id: Uint8Array, bytes: Uint8Array): string | undefined {
    const textAt = NONCE_BYTES + TAG_BYTES
    if (bytes.length < textAt) return undefined
    const decipher = createDecipheriv(CIPHER, this.#ofResults.reveal(), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(id)
      .setAuthTag(bytes.subarray(NONCE_BYTES, textAt))
    try {
      const text = decipher.update(bytes.subarray(textAt))
      decipher.final()
      return text.toString()
    } catch {
      return undefined
    }
  }
}
