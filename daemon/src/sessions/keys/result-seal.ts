/** Seals the results of calls with a key, and hashes their arguments, with keys that the vault gives. */
import { createCipheriv, createDecipheriv, createSecretKey, hash, type KeyObject, randomFillSync } from 'node:crypto'
import { Secret } from '@sallyport/core/secret'
import { groupOf } from '../../identity/program.ts'
import { canonicalText } from './canonical.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Nonces that are drawn at once: each draw costs as much as a hash. */
const NONCES = 128

/** Of whom a key is. Another program, application, account or platform with the same key is another call. */
export interface KeyOwner {
  readonly platform: string
  /** As accounting counts it; the containers of a group are one, because a game that starts again is another container. */
  readonly program: string
  readonly applicationId: string
  readonly account: string
}

/** The key has 128 random bits, so the id does not give the owner. */
export const callIdFor = ({ platform, program, applicationId, account }: KeyOwner, key: string): Buffer =>
  hash('sha256', JSON.stringify([platform, groupOf(program) ?? program, applicationId, account, key]), 'buffer')

export class ResultSeal {
  readonly #ofArguments: Secret<string>
  /** Prepared once, which each seal would do with bytes. */
  readonly #ofResults: Secret<KeyObject>
  readonly #nonces = Buffer.alloc(NONCES * NONCE_BYTES)
  #nextNonceAt = this.#nonces.length

  constructor(ofArguments: Secret<Buffer>, ofResults: Secret<Buffer>) {
    this.#ofArguments = new Secret(ofArguments.reveal().toString('hex'))
    this.#ofResults = new Secret(createSecretKey(ofResults.reveal()))
  }

  /**
   * Keyed, because arguments can be guessed. A string of one byte a character. One hash with the key in front is enough: HMAC's second one is for
   * readers who can choose a longer text for a hash that they know, and nothing is accepted here for its hash.
   */
  argumentsHash(command: string, args: unknown): string {
    return hash('sha256', `${this.#ofArguments.reveal()}\0${command}\0${canonicalText(args)}`, 'binary')
  }

  /** nonce (12) │ tag (16) │ ciphertext. It opens only for this id. */
  seal(id: Uint8Array, text: string): Buffer {
    const nonce = this.#nonce()
    const cipher = createCipheriv(CIPHER, this.#ofResults.reveal(), nonce, { authTagLength: TAG_BYTES }).setAAD(id)
    const sealed = cipher.update(text, 'utf8')
    cipher.final()
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  }

  /** Valid until the next one. */
  #nonce(): Buffer {
    if (this.#nextNonceAt === this.#nonces.length) {
      randomFillSync(this.#nonces)
      this.#nextNonceAt = 0
    }
    const at = this.#nextNonceAt
    this.#nextNonceAt += NONCE_BYTES
    return this.#nonces.subarray(at, this.#nextNonceAt)
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
