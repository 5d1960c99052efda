/**
 * Notifications of the desktop: org.freedesktop.Notifications. A desktop without them shows the prompt in the menu only.
 *
 * Any program of the session can send the signal of a click. An answer counts only from the connection that returned the notification's id, and
 * once. A click that comes before a person can have read the notification opens the dashboard instead.
 */
import type { Clock } from '@sallyport/core/clock'
import { DASHBOARD_DESKTOP_NAME } from '../../install/linux-files.ts'
import type { Notice, NoticeAnswer } from '../host.ts'
import { type SessionBus, variant } from './session-bus.ts'

const SERVICE = {
  destination: 'org.freedesktop.Notifications',
  path: '/org/freedesktop/Notifications',
  interface: 'org.freedesktop.Notifications',
} as const
const NEW = 0
/** Until the user or the tray closes it. */
const NEVER_EXPIRES = 0
const CRITICAL = 2
/** As for a prompt in a terminal. */
const MIN_READING_MS = 700

/** `default`: a click on the notification itself. With a name, some services show it as one more button. */
const OPEN = ['default', '', 'open', 'Open'] as const
const ANSWERS = ['allow', 'Allow', 'deny', 'Deny'] as const

const DESKTOP_ENTRY = DASHBOARD_DESKTOP_NAME.replace(/\.desktop$/, '')

/** Servers may read the body as markup. */
const plain = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type NotifyingBus = Pick<SessionBus, 'onSignal' | 'onOwner' | 'call' | 'callFor'>

/** A notification that the desktop shows. */
interface Shown {
  readonly key: string
  readonly isAnswerable: boolean
  /** The unique name of the service that returned the id. */
  readonly owner: string
  /** By the monotonic clock, in ms. */
  readonly since: number
  isAnswered: boolean
}

export class Notifications {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #onNotice: (key: string, answer: NoticeAnswer) => void
  /** By the id that the service returned. */
  readonly #shown = new Map<number, Shown>()
  /** Shown or to be shown. */
  readonly #open = new Map<string, Notice>()
  /** Calls that wait for an id. One of them may have made the bus start the service. */
  #sending = 0
  #bus: NotifyingBus | undefined

  constructor(clock: Pick<Clock, 'elapsed'>, onNotice: (key: string, answer: NoticeAnswer) => void) {
    this.#clock = clock
    this.#onNotice = onNotice
  }

  /** Shows the open ones on a bus that has come, and again when another service takes over. */
  async start(bus: NotifyingBus): Promise<void> {
    await bus.onSignal(SERVICE.path, SERVICE.interface, 'ActionInvoked', ([id, action], sender) => {
      const shown = this.#shownBy(sender, id)
      if (shown === undefined || shown.isAnswered) return
      shown.isAnswered = true
      this.#onNotice(shown.key, this.#answerOf(shown, action))
    })
    await bus.onSignal(SERVICE.path, SERVICE.interface, 'NotificationClosed', ([id], sender) => {
      if (this.#shownBy(sender, id) !== undefined) this.#shown.delete(id as number)
    })
    await bus.onOwner(SERVICE.destination, (hasOwner) => {
      this.#shown.clear()
      if (hasOwner && this.#sending === 0) this.#sendAll()
    })
    // Not before: what comes meanwhile would be shown twice.
    this.#bus = bus
    this.#sendAll()
  }

  stop(): void {
    this.#bus = undefined
    this.#shown.clear()
  }

  notify(notice: Notice): void {
    this.#open.set(notice.key, notice)
    void this.#send(notice)
  }

  withdraw(key: string): void {
    this.#open.delete(key)
    for (const [id, shown] of this.#shown) if (shown.key === key) this.#close(id)
  }

  /** What a signal is about. Undefined unless the service that showed it sent the signal. */
  #shownBy(sender: string, id: unknown): Shown | undefined {
    const shown = this.#shown.get(id as number)
    return shown?.owner === sender ? shown : undefined
  }

  #answerOf({ isAnswerable, since }: Shown, action: unknown): NoticeAnswer {
    if (action !== 'allow' && action !== 'deny') return 'open'
    return isAnswerable && this.#clock.elapsed() - since >= MIN_READING_MS ? action : 'open'
  }

  #sendAll(): void {
    for (const notice of this.#open.values()) void this.#send(notice)
  }

  /** Never rejects. */
  async #send({ key, title, body, isAnswerable }: Notice): Promise<void> {
    const actions = isAnswerable ? [...ANSWERS, ...OPEN] : OPEN
    const hints = [
      ['urgency', variant('y', CRITICAL)],
      ['desktop-entry', variant('s', DESKTOP_ENTRY)],
    ]
    const content = ['Sallyport', NEW, 'sallyport', title, plain(body), actions, hints, NEVER_EXPIRES]
    this.#sending++
    try {
      const reply = await this.#bus?.callFor({ ...SERVICE, member: 'Notify', signature: 'susssasa{sv}i', body: content })
      if (typeof reply?.value !== 'number') return
      this.#shown.set(reply.value, { key, isAnswerable, owner: reply.sender, since: this.#clock.elapsed(), isAnswered: false })
      // It was answered while the desktop drew it.
      if (!this.#open.has(key)) this.#close(reply.value)
    } catch {
      // No service shows notifications now. One that comes gets them.
    } finally {
      this.#sending--
    }
  }

  #close(id: number): void {
    this.#shown.delete(id)
    this.#bus?.call({ ...SERVICE, member: 'CloseNotification', signature: 'u', body: [id] }).catch(() => {})
  }
}
