/**
 * Judges which tokens the daemon stores: those of the newest sign-in of an account that a game completed, or tokens that a refresh got for it. Tokens
 * of an older sign-in never come back.
 */
import { isVaultMissing, openVault } from '#daemon/src/auth/vault/encrypted-file.ts'
import type { Exchange } from './http-traffic.ts'
import type { Direction, Link } from './machine/socket.ts'
import type { Message } from './wire-check.ts'

/** A sign-in at the platform, with all tokens that come of it. */
interface SignIn {
  /** In which order games got the tokens; undefined: none has. */
  order: number | undefined
}

const ACCESS = /"access_token":\s?"([^"]+)"/
const REFRESH = /"refresh_token":\s?"([^"]+)"/
const REFRESHED = /(?:^|&)refresh_token=([^&\s]+)/

interface Tokens {
  readonly access_token?: string
  readonly kept?: false
}

/** No key of this vault is in a keychain. */
const NO_KEYCHAIN = { available: async () => false } as never

export class TokenCheck {
  readonly #now: () => number
  readonly #signIns = new Map<string, SignIn>()
  readonly #exchanged = new Set<Exchange>()
  /** The sign-in whose tokens a game got on this connection, until it says which user that was. */
  readonly #onLink = new Map<Link, SignIn>()
  readonly #newest = new Map<string, SignIn>()
  readonly #applicationOf: (game: string) => string
  #orders = 0
  /** Said once. */
  #isLost = false
  readonly failures: string[] = []
  checked = 0

  constructor(now: () => number, applicationOf: (game: string) => string) {
    this.#now = now
    this.#applicationOf = applicationOf
  }

  onExchange(exchange: Exchange, isReply: boolean): void {
    if (!isReply || !exchange.line.endsWith('/oauth2/token') || this.#exchanged.has(exchange)) return
    const access = ACCESS.exec(exchange.reply)?.[1]
    const refresh = REFRESH.exec(exchange.reply)?.[1]
    if (access === undefined || refresh === undefined) return
    this.#exchanged.add(exchange)
    const refreshed = REFRESHED.exec(exchange.request.slice(exchange.request.indexOf('\r\n\r\n') + 4))?.[1]
    const signIn = (refreshed === undefined ? undefined : this.#signIns.get(refreshed)) ?? { order: undefined }
    this.#signIns.set(access, signIn).set(refresh, signIn)
  }

  onMessage(link: Link, direction: Direction, { cmd, evt, data }: Message): void {
    if (direction !== 'down' || evt === 'ERROR') return
    if (cmd === 'GET_TOKEN') {
      const { access_token: access = '', kept } = data as Tokens
      const signIn = this.#signIns.get(access)
      if (signIn === undefined || kept === false) return
      signIn.order = ++this.#orders
      this.#onLink.set(link, signIn)
    }
    const signIn = this.#onLink.get(link)
    if (cmd !== 'AUTHENTICATE' || signIn === undefined) return
    this.#onLink.delete(link)
    const { user } = data as { readonly user?: { readonly id: string } }
    if (user === undefined) return
    const account = `${this.#applicationOf(link.up.owner?.name ?? '')} ${user.id}`
    if ((this.#newest.get(account)?.order ?? 0) < (signIn.order ?? 0)) this.#newest.set(account, signIn)
  }

  /** Compares with what is stored. */
  async review(dataDirectory: string): Promise<void> {
    if (isVaultMissing(dataDirectory) || this.#isLost) return
    this.checked += 1
    const vault = await openVault({ dataDirectory, store: 'file', keychain: NO_KEYCHAIN }).catch((failure: unknown) => String(failure))
    if (typeof vault === 'string') {
      this.#isLost = true
      this.failures.push(`${(this.#now() / 1_000).toFixed(3)} s: what is stored cannot be read: ${vault}`)
      return
    }
    const { tokens } = vault
    for (const key of await tokens.keys()) {
      const stored = await tokens.get(key)
      const signIn = this.#signIns.get(stored?.refreshToken?.reveal() ?? '')
      const newest = this.#newest.get(`${stored?.applicationId} ${stored?.userId}`)
      if (signIn === undefined || newest === undefined) continue
      this.checked += 1
      if (signIn.order === undefined || signIn.order >= (newest.order ?? 0)) continue
      this.failures.push(
        `${(this.#now() / 1_000).toFixed(3)} s: tokens of an older sign-in are stored over newer ones of user ${stored?.userId}`,
      )
      this.#newest.delete(`${stored?.applicationId} ${stored?.userId}`)
    }
  }
}
