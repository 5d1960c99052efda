/**
 * Names and pictures of applications, for a user who looks at the dashboard, and names for games that show an activity before any sign-in.
 * The platform is asked only then: at most ten requests a minute, and once a day about each application. A reader gets what is known now;
 * a change is announced.
 */
import { BoundedMap } from '@sallyport/core/bounded-map'
import type { Clock } from '@sallyport/core/clock'
import { DAY_MS, MINUTE_MS } from '@sallyport/core/durations'
import type { Logger } from '@sallyport/core/logger'
import { Signal } from '@sallyport/core/signal'
import { type ApplicationRequests, imageIdOf } from './application-requests.ts'
import type { ApplicationRow, ApplicationStore, StoredImage } from './application-store.ts'

/** Requests a minute. */
const MAX_REQUESTS = 10
/** Requests that wait; the rest is wanted again with the next state. */
const MAX_WAITING = 100
/** Applications whose last request for a name is remembered. */
const MAX_WANTED = 1000

interface ApplicationsDeps {
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly log: Logger
  readonly requests: ApplicationRequests
  /** Opened when a user looks for the first time. Throws when the file cannot be used. */
  readonly openStore: () => ApplicationStore
}

export interface KnownApplication {
  readonly name: string | undefined
  readonly icon: string | undefined
}

/** A game starts meanwhile, and gets its first answers without what a request loads. */
const NAME_DELAY_MS = 1000

const NOTHING: KnownApplication = { name: undefined, icon: undefined }
const neverAsked = (id: string): ApplicationRow => ({
  id,
  name: undefined,
  icon: undefined,
  askedAt: 0,
  assets: undefined,
  assetsAskedAt: 0,
})

/** A future time means that the clock was set back. */
const isWithinDay = (time: number | undefined, now: number): boolean => time !== undefined && time <= now && now - time < DAY_MS

export class Applications {
  readonly #deps: ApplicationsDeps
  readonly #known = new Map<string, ApplicationRow>()
  readonly changed = new Signal()
  /** Undefined before the first look, and when the file cannot be used. */
  #store: ApplicationStore | undefined
  #isOpened = false
  #looking = 0
  /** By what is asked. */
  readonly #waiting = new Map<string, () => Promise<void>>()
  /** What was asked without success, and when. */
  readonly #failedAt = new Map<string, number>()
  readonly #sentAt: number[] = []
  #isSending = false
  /** Applications whose name a game needs. */
  readonly #nameless = new Set<string>()
  /** When a name was wanted last, by application: each activity of a game without a name looks here, and reads no clock. */
  readonly #nameWantedAt = new BoundedMap<string, number>(MAX_WANTED)
  #cancelNames: () => void = () => {}
  #cancel: () => void = () => {}

  constructor(deps: ApplicationsDeps) {
    this.#deps = deps
  }

  /** A user looks, until the returned function is called. */
  look(): () => void {
    this.#open()
    this.#looking++
    return () => {
      if (--this.#looking > 0) return
      this.#cancel()
      this.#waiting.clear()
    }
  }

  /** The public name. Undefined while it is not known: it is asked for soon. `now` is the time in ms. */
  nameOf(id: string, now: number): string | undefined {
    const name = this.#known.get(id)?.name
    if (name === undefined && !isWithinDay(this.#nameWantedAt.get(id), now)) this.#wantName(id, now)
    return name
  }

  of(id: string): KnownApplication {
    const row = this.#known.get(id)
    this.#want(`application ${id}`, row?.askedAt ?? 0, () => this.#askApplication(id))
    if (row === undefined) return NOTHING
    const url = row.icon === undefined ? undefined : this.#deps.requests.iconUrl(id, row.icon)
    return { name: row.name, icon: this.#imageAt(url) }
  }

  /** `asset`: as a game names it. Undefined for an image elsewhere, which is never loaded. */
  imageOf(id: string, asset: string): string | undefined {
    if (asset.includes(':')) return undefined
    const row = this.#known.get(id)
    const assetId = /^\d+$/.test(asset) ? asset : row?.assets?.[asset.toLowerCase()]
    if (assetId !== undefined) return this.#imageAt(this.#deps.requests.pictureUrl(id, assetId))
    this.#want(`assets ${id}`, row?.assetsAskedAt ?? 0, () => this.#askAssets(id))
    return undefined
  }

  image(imageId: string): StoredImage | undefined {
    return this.#store?.image(imageId)
  }

  /** A picture at the host of images; undefined for what is no image, or too large. */
  download(url: string): Promise<StoredImage | undefined> {
    return this.#deps.requests.image(url)
  }

  async close(): Promise<void> {
    this.#looking = 0
    this.#cancel()
    this.#cancelNames()
    this.#waiting.clear()
    await this.#store?.close()
    this.#store = undefined
  }

  #open(): void {
    if (this.#isOpened) return
    this.#isOpened = true
    try {
      this.#store = this.#deps.openStore()
      for (const row of this.#store.load()) this.#known.set(row.id, row)
    } catch (err) {
      this.#deps.log.warn('applications-not-opened', { err })
    }
  }

  /** The id of a stored image; asks for it otherwise. */
  #imageAt(url: string | undefined): string | undefined {
    if (url === undefined) return undefined
    const id = imageIdOf(url)
    if (this.#store?.hasImage(id) === true) return id
    this.#want(`image ${id}`, 0, () => this.#askImage(id, url))
    return undefined
  }

  #wantName(id: string, now: number): void {
    if (this.#nameless.size >= MAX_WAITING) return
    this.#nameWantedAt.set(id, now)
    if (this.#nameless.size === 0) this.#cancelNames = this.#deps.clock.after(NAME_DELAY_MS, () => this.#askNames())
    this.#nameless.add(id)
  }

  // --- requests ------------------------------------------------------------------------------------------------------------------

  #want(what: string, askedAt: number, ask: () => Promise<void>): void {
    if (this.#looking > 0) this.#enqueue(what, askedAt, ask)
  }

  #enqueue(what: string, askedAt: number, ask: () => Promise<void>): void {
    if (this.#store === undefined || this.#isRecent(what, askedAt) || this.#waiting.has(what) || this.#waiting.size >= MAX_WAITING) return
    this.#waiting.set(what, ask)
    void this.#sendNext()
  }

  #isRecent(what: string, askedAt = 0): boolean {
    return isWithinDay(Math.max(askedAt, this.#failedAt.get(what) ?? 0), this.#deps.clock.now())
  }

  #askNames(): void {
    this.#open()
    for (const id of this.#nameless) {
      const row = this.#known.get(id)
      if (row?.name === undefined) this.#enqueue(`application ${id}`, row?.askedAt ?? 0, () => this.#askApplication(id))
    }
    this.#nameless.clear()
  }

  /** One at a time. Never rejects. */
  async #sendNext(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined || !this.#mayAsk()) break
      const [what, ask] = next
      try {
        await ask()
      } catch (err) {
        this.#deps.log.debug('application-not-read', { what, err })
      }
      this.#failedAt.set(what, this.#deps.clock.now())
      this.#waiting.delete(what)
      this.changed.emit()
    }
    this.#isSending = false
  }

  #mayAsk(): boolean {
    const { clock } = this.#deps
    const now = clock.now()
    while (this.#sentAt[0] !== undefined && (this.#sentAt[0] <= now - MINUTE_MS || this.#sentAt[0] > now)) this.#sentAt.shift()
    const [oldest] = this.#sentAt
    if (oldest !== undefined && this.#sentAt.length >= MAX_REQUESTS) {
      this.#cancel()
      this.#cancel = clock.after(oldest + MINUTE_MS - now, () => void this.#sendNext())
      return false
    }
    this.#sentAt.push(now)
    return true
  }

  async #askApplication(id: string): Promise<void> {
    const found = await this.#deps.requests.application(id)
    if (found !== undefined) this.#keep({ ...this.#rowOf(id), ...found, askedAt: this.#deps.clock.now() })
  }

  async #askAssets(id: string): Promise<void> {
    const assets = await this.#deps.requests.assets(id)
    if (assets !== undefined) this.#keep({ ...this.#rowOf(id), assets, assetsAskedAt: this.#deps.clock.now() })
  }

  async #askImage(imageId: string, url: string): Promise<void> {
    const image = await this.#deps.requests.image(url)
    if (image !== undefined) this.#store?.putImage(imageId, image, this.#deps.clock.now())
  }

  #rowOf(id: string): ApplicationRow {
    return this.#known.get(id) ?? neverAsked(id)
  }

  #keep(row: ApplicationRow): void {
    this.#known.set(row.id, row)
    this.#store?.put(row)
  }
}
