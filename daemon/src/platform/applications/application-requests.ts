/** Public facts of applications at the platform: names, icons, pictures. Requests carry no token, and go to the hosts of the profile only. */
import { createHash } from 'node:crypto'
import type { Clock } from '@sallyport/core/clock'
import { SECOND_MS } from '@sallyport/core/durations'
import { fieldsOf } from '@sallyport/core/json-read'
import { isLoopbackHost } from '@sallyport/core/origins'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { HttpSend } from '../api/forwarder-port.ts'
import type { StoredImage } from './application-store.ts'

const TIMEOUT_MS = 10 * SECOND_MS
const MAX_IMAGE_BYTES = 512 * 1024
const MAX_ASSETS = 300
const NAME_CHARACTERS = 128
const OK = 200

/** Pixels, for screens with two of them per unit. */
const ICON_SIZE = 128
const PICTURE_SIZE = 256

const ID = /^\d{1,20}$/
const HASH = /^\w{1,64}$/

/** Raster images that browsers show, by their first bytes in base64. A picture with script is none of them. */
const IMAGE_TYPES: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^iVBORw0KGgo/],
  ['image/jpeg', /^\/9j\//],
  ['image/webp', /^UklGR.{6}XRUJQ/],
  ['image/gif', /^R0lGODlh|^R0lGODdh/],
]
/** As many as the longest of these starts has. */
const START_BYTES = 15

export interface ApplicationRequestsDeps {
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'cdnHost' | 'userAgent'>
  readonly send: HttpSend
  readonly clock: Pick<Clock, 'after'>
}

/** What is public of an application. */
export interface PublicApplication {
  readonly name: string | undefined
  readonly icon: string | undefined
}

const hasCode = (text: unknown, pattern: RegExp): text is string => typeof text === 'string' && pattern.test(text)

/** Only encrypted, or not outside of this machine, as with the sandbox. */
function hostUrl(url: string): string | undefined {
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(host)) ? url : undefined
}

export const imageIdOf = (url: string): string => createHash('sha256').update(url).digest('hex').slice(0, 32)

export class ApplicationRequests {
  readonly #deps: ApplicationRequestsDeps
  readonly #api: string | undefined
  readonly #images: string | undefined

  constructor(deps: ApplicationRequestsDeps) {
    const { baseUrl, cdnHost } = deps.profile
    this.#deps = deps
    this.#api = hostUrl(baseUrl)
    this.#images = hostUrl(`${new URL(baseUrl).protocol}//${cdnHost}`)
  }

  iconUrl(id: string, hash: string): string | undefined {
    return this.#images && `${this.#images}/app-icons/${id}/${hash}.png?size=${ICON_SIZE}`
  }

  pictureUrl(id: string, asset: string): string | undefined {
    return this.#images && `${this.#images}/app-assets/${id}/${asset}.png?size=${PICTURE_SIZE}`
  }

  /** Undefined if the platform did not say. Rejects if it cannot be reached. */
  async application(id: string): Promise<PublicApplication | undefined> {
    const answer = await this.#json(id, `applications/${id}/rpc`)
    if (answer === undefined) return undefined
    const { name, icon } = fieldsOf(answer)
    return {
      name: typeof name === 'string' && name !== '' ? name.slice(0, NAME_CHARACTERS) : undefined,
      icon: hasCode(icon, HASH) ? icon : undefined,
    }
  }

  /** Ids of the application's pictures by the names that games use. */
  async assets(id: string): Promise<Readonly<Record<string, string>> | undefined> {
    const answer = await this.#json(id, `oauth2/applications/${id}/assets`)
    if (!Array.isArray(answer)) return undefined
    const pairs = answer.slice(0, MAX_ASSETS).flatMap((asset: unknown) => {
      const { id: assetId, name } = fieldsOf(asset)
      return hasCode(assetId, ID) && typeof name === 'string' ? [[name.toLowerCase(), assetId] as const] : []
    })
    return Object.fromEntries(pairs)
  }

  /** Undefined for what is no image, or too large. */
  async image(url: string): Promise<StoredImage | undefined> {
    const { status, body } = await this.#get(url, 'latin1')
    if (status !== OK || body.length > MAX_IMAGE_BYTES) return undefined
    const bytes = Buffer.from(body, 'latin1')
    const head = bytes.toString('base64', 0, START_BYTES)
    const type = IMAGE_TYPES.find(([, start]) => start.test(head))?.[0]
    return type === undefined ? undefined : { type, bytes }
  }

  async #json(id: string, path: string): Promise<unknown> {
    if (this.#api === undefined || !ID.test(id)) return undefined
    const { status, body } = await this.#get(`${this.#api}/${path}`)
    if (status !== OK) return undefined
    try {
      return JSON.parse(body) as unknown
    } catch {
      return undefined
    }
  }

  /** Follows no redirect. */
  async #get(url: string, encoding: 'utf8' | 'latin1' = 'utf8') {
    const { send, clock, profile } = this.#deps
    const timeout = new AbortController()
    const cancelTimer = clock.after(TIMEOUT_MS, () => timeout.abort())
    try {
      return await send({ method: 'GET', url, headers: { 'user-agent': profile.userAgent }, encoding }, timeout.signal)
    } finally {
      cancelTimer()
    }
  }
}
