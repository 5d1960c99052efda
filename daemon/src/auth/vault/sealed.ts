/**
 * Encrypts and decrypts the vault (AES-256-GCM). Pure except for the random nonce.
 *
 *   magic "SPV2" (4) │ id of the key (16) │ nonce (12) │ tag (16) │ ciphertext
 *
 * Magic and id are authenticated too, so bytes of another version or purpose do not decrypt. The id is not secret: a keychain stores the key
 * under it, so a moved file still identifies its key. The earlier format "SPV1" had no id and no bots.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { Secret } from '@sallyport/core/secret'
import type { BotToken, DerivedKey, TokenSet } from './vault.ts'

export const KEY_BYTES = 32
const MAGIC_BYTES = 4
const ID_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
const MAGIC = 'SPV2'
/** Of a file: its format and the id of its key. */
export const HEAD_BYTES = MAGIC_BYTES + ID_BYTES

export interface Stored {
  readonly tokens: ReadonlyMap<string, TokenSet>
  readonly bots: ReadonlyMap<string, BotToken>
}

export interface VaultKey {
  /** Hexadecimal. */
  readonly id: string
  readonly key: Secret<Buffer>
}

export const NOTHING_STORED: Stored = { tokens: new Map(), bots: new Map() }

export const newKeyId = (): string => randomBytes(ID_BYTES).toString('hex')
export const newKey = (): Secret<Buffer> => new Secret(randomBytes(KEY_BYTES))

/** HMAC-SHA256 of the purpose: one key does not give another. */
export const derivedKeyOf = ({ id, key }: VaultKey, purpose: string): DerivedKey => ({
  vaultKeyId: id,
  key: new Secret(createHmac('sha256', key.reveal()).update(purpose).digest()),
})

/** Secrets as stored in the plaintext. */
interface PlainTokens {
  readonly applicationId: string
  readonly userId: string
  readonly accessToken: string
  readonly refreshToken?: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
}
interface PlainBot {
  readonly applicationId: string
  readonly name: string
  readonly token: string
}
type Entries<Value> = readonly (readonly [string, Value])[]
interface Plain {
  readonly tokens: Entries<PlainTokens>
  readonly bots: Entries<PlainBot>
}

/** Header size and plaintext parser of each format version. */
interface Format {
  readonly idBytes: number
  readonly read: (value: unknown) => Plain
}
const FORMATS: Readonly<Record<string, Format>> = {
  SPV1: { idBytes: 0, read: (tokens) => ({ tokens: tokens as Entries<PlainTokens>, bots: [] }) },
  [MAGIC]: { idBytes: ID_BYTES, read: (value) => value as Plain },
}

/** `newer`: of a format that this program does not know; `damaged`: bytes that no version wrote. */
export function flawOf(bytes: Buffer): 'newer' | 'damaged' | undefined {
  const magic = bytes.toString('latin1', 0, MAGIC_BYTES)
  if (FORMATS[magic] !== undefined) return undefined
  return /^SPV\d$/.test(magic) ? 'newer' : 'damaged'
}

const formatOf = (bytes: Buffer): Format | undefined => FORMATS[bytes.toString('latin1', 0, MAGIC_BYTES)]
const context = (head: Buffer): Buffer => Buffer.concat([head, Buffer.from(' token vault')])

export function seal({ tokens, bots }: Stored, { id, key }: VaultKey): Buffer {
  const head = Buffer.concat([Buffer.from(MAGIC), Buffer.from(id, 'hex')])
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key.reveal(), nonce, { authTagLength: TAG_BYTES }).setAAD(context(head))
  const plain: Plain = {
    tokens: [...tokens].map(([name, value]) => [name, toPlainTokens(value)]),
    bots: [...bots].map(([name, value]) => [name, { ...value, token: value.token.reveal() }]),
  }
  const text = Buffer.from(JSON.stringify(plain))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  text.fill(0)
  return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed])
}

/** Id of the key that sealed these bytes; undefined for formats without one and for unknown bytes. */
export function keyIdOf(bytes: Buffer): string | undefined {
  const idBytes = formatOf(bytes)?.idBytes ?? 0
  const isWhole = idBytes > 0 && bytes.length >= MAGIC_BYTES + idBytes
  return isWhole ? bytes.toString('hex', MAGIC_BYTES, MAGIC_BYTES + idBytes) : undefined
}

/** Undefined when the bytes were sealed with another key or modified. */
export function unseal(bytes: Buffer, key: Secret<Buffer>): Stored | undefined {
  const format = formatOf(bytes)
  if (format === undefined) return undefined
  const headBytes = MAGIC_BYTES + format.idBytes
  const textAt = headBytes + NONCE_BYTES + TAG_BYTES
  if (bytes.length < textAt) return undefined
  const nonce = bytes.subarray(headBytes, headBytes + NONCE_BYTES)
  const tag = bytes.subarray(headBytes + NONCE_BYTES, textAt)
  const decipher = createDecipheriv('aes-256-gcm', key.reveal(), nonce, { authTagLength: TAG_BYTES })
    .setAAD(context(bytes.subarray(0, headBytes)))
    .setAuthTag(tag)
  try {
    // `final` returns nothing for this cipher. It throws when the tag does not match, before the text is parsed.
    const text = decipher.update(bytes.subarray(textAt))
    decipher.final()
    // The tag proves that `seal` wrote it, so its shape is known.
    const { tokens, bots } = format.read(JSON.parse(text.toString()))
    text.fill(0)
    return {
      tokens: new Map(tokens.map(([name, plain]) => [name, fromPlainTokens(plain)])),
      bots: new Map(bots.map(([name, plain]) => [name, { ...plain, token: new Secret(plain.token) }])),
    }
  } catch {
    return undefined
  }
}

const toPlainTokens = ({ accessToken, refreshToken, ...rest }: TokenSet): PlainTokens => ({
  ...rest,
  accessToken: accessToken.reveal(),
  ...(refreshToken === undefined ? {} : { refreshToken: refreshToken.reveal() }),
})

const fromPlainTokens = ({ accessToken, refreshToken, ...rest }: PlainTokens): TokenSet => ({
  ...rest,
  accessToken: new Secret(accessToken),
  ...(refreshToken === undefined ? {} : { refreshToken: new Secret(refreshToken) }),
})
