/**
 * How this tab is admitted. It sends nothing that another server on the port could use before that server has proved that it is the daemon: see
 * tab-keys.ts of the server. The key is in memory only, because a page that another server sends could read what the browser stores.
 */

/** Why the tab is not admitted. `lost`: no server answers. `strange`: another server answers. `closed`: the tab has no valid secret. */
export type Refusal = 'lost' | 'strange' | 'closed'

export class NotAdmitted extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal)
    this.refusal = refusal
  }
}

interface TabKey {
  readonly id: string
  readonly key: string
}

interface Greeting {
  readonly nonce: string
  readonly proof: string
}

const RELOAD = 'sallyport-reload'
const CHALLENGE_BYTES = 32

const encoder = new TextEncoder()
const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function mac(secret: string, ...words: readonly string[]): Promise<string> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64Url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(words.join('\n')))))
}

/** The code of the address, or the one that this tab kept for being loaded again. Each is for one use, so both are removed at once. */
function takeCode(): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const given = fragment.get('code') ?? fragment.get('token')
  if (given !== null) history.replaceState(null, '', location.pathname)
  const kept = sessionStorage.getItem(RELOAD)
  sessionStorage.removeItem(RELOAD)
  return given ?? kept ?? undefined
}

async function post(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  try {
    return await fetch(path, { method: 'POST', headers, cache: 'no-store' })
  } catch {
    throw new NotAdmitted('lost')
  }
}

export class TabAccess {
  #code = takeCode()
  #key: TabKey | undefined
  #session: Promise<string> | undefined
  #reloadCode: string | undefined

  /** Another address was opened in this tab. Returns whether it has a code. */
  takeNewCode(): boolean {
    const code = takeCode()
    if (code === undefined) return false
    this.#code = code
    this.#key = undefined
    this.#session = undefined
    return true
  }

  /** With what the daemon takes requests. Rejects with NotAdmitted. */
  session(): Promise<string> {
    this.#session ??= this.#begin().catch((failure: unknown) => {
      this.#session = undefined
      throw failure
    })
    return this.#session
  }

  /** The daemon is gone, or takes the session no more. What comes next greets again. */
  end(): void {
    this.#session = undefined
    this.#reloadCode = undefined
  }

  /** The daemon gave a code for loading this page again. It is kept while the daemon is there: later another server could send a page instead. */
  set reloadCode(code: string) {
    this.#reloadCode = code
  }

  /** Called when the page is left. */
  keepForReload(): void {
    if (this.#reloadCode !== undefined) sessionStorage.setItem(RELOAD, this.#reloadCode)
  }

  async #begin(): Promise<string> {
    const code = this.#code
    if (code === undefined) {
      if (this.#key === undefined) throw new NotAdmitted('closed')
      return greet(this.#key.id, this.#key.key)
    }
    const session = await greet(await mac(code, 'id'), code)
    this.#code = undefined
    const response = await post('/api/keys', { Authorization: `Bearer ${session}` })
    if (!response.ok) throw new NotAdmitted('closed')
    this.#key = (await response.json()) as TabKey
    return session
  }
}

/** The session, once the server has proved that it knows the secret. */
async function greet(id: string, secret: string): Promise<string> {
  const challenge = base64Url(crypto.getRandomValues(new Uint8Array(CHALLENGE_BYTES)))
  const response = await post(`/api/greeting?${new URLSearchParams({ id, challenge }).toString()}`)
  if (response.status === 401) throw new NotAdmitted('closed')
  if (!response.ok) throw new NotAdmitted('strange')
  const { nonce, proof } = (await response.json().catch(() => ({}))) as Partial<Greeting>
  const { port } = location
  const isProven = nonce !== undefined && proof === (await mac(secret, 'server', port, challenge, nonce))
  if (!isProven) throw new NotAdmitted('strange')
  return mac(secret, 'tab', port, challenge, nonce)
}
