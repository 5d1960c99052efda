/**
 * Tokens ⇄ sealed bytes (AES-256-GCM). Pure but for the random nonce.
 *
 *   magic "SPV1" (4) │ nonce (12) │ tag (16) │ ciphertext
 *
 * The magic is authenticated too, so that bytes of another version or purpose do not open.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Secret } from '../../core/secret.ts'
import type { TokenSet } from './vault.ts'

export const KEY_BYTES = 32
const MAGIC = Buffer.from('SPV1')
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEADER_BYTES = MAGIC.length + NONCE_BYTES + TAG_BYTES
const CONTEXT = Buffer.concat([MAGIC, Buffer.from(' token vault')])

export type Stored = ReadonlyMap<string, TokenSet>

/** How a token set stands in the plaintext. */
interface Plain {
  readonly applicationId: string
  readonly userId: string
  readonly accessToken: string
  readonly refreshToken?: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
}

export function seal(stored: Stored, key: Secret<Buffer>): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.reveal(), nonce, { authTagLength: TAG_BYTES }).setAAD(CONTEXT)
  const text = JSON.stringify([...stored].map(([name, tokens]) => [name, toPlain(tokens)]))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([MAGIC, nonce, cipher.getAuthTag(), sealed])
}

/** Undefined when the bytes were not sealed with this key, or were changed since. */
export function unseal(bytes: Buffer, key: Secret<Buffer>): Map<string, TokenSet> | undefined {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  const nonce = bytes.subarray(MAGIC.length, MAGIC.length + NONCE_BYTES)
  const tag = bytes.subarray(MAGIC.length + NONCE_BYTES, HEADER_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key.reveal(), nonce, { authTagLength: TAG_BYTES }).setAAD(CONTEXT).setAuthTag(tag)
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(HEADER_BYTES)), decipher.final()]).toString()
    // What the tag proves was written by `seal`, so its shape is known.
    const entries = JSON.parse(text) as readonly (readonly [string, Plain])[]
    return new Map(entries.map(([name, plain]) => [name, fromPlain(plain)]))
  } catch {
    return undefined
  }
}

const toPlain = ({ accessToken, refreshToken, ...rest }: TokenSet): Plain => ({
  ...rest,
  accessToken: accessToken.reveal(),
  ...(refreshToken === undefined ? {} : { refreshToken: refreshToken.reveal() }),
})

const fromPlain = ({ accessToken, refreshToken, ...rest }: Plain): TokenSet => ({
  ...rest,
  accessToken: new Secret(accessToken),
  ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
})
