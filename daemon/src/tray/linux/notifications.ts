/** Notifications of the desktop: org.freedesktop.Notifications. A desktop without them shows the prompt in the menu only. */
import type { Notice } from '../host.ts'
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

/** Servers may read the body as markup. */
const plain = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export class Notifications {
  readonly #onNotice: (key: string) => void
  /** What the desktop calls each notification. */
  readonly #ids = new Map<string, number>()
  /** Shown or to be shown. */
  readonly #open = new Map<string, Notice>()
  #bus: SessionBus | undefined

  constructor(onNotice: (key: string) => void) {
    this.#onNotice = onNotice
  }

  /** Shows the open ones on a bus that has come. */
  async start(bus: SessionBus): Promise<void> {
    this.#bus = bus
    this.#ids.clear()
    await bus.onSignal(SERVICE.path, SERVICE.interface, 'ActionInvoked', ([id]) => {
      const key = this.#keyOf(id)
      if (key !== undefined) this.#onNotice(key)
    })
    await bus.onSignal(SERVICE.path, SERVICE.interface, 'NotificationClosed', ([id]) => {
      const key = this.#keyOf(id)
      if (key !== undefined) this.#ids.delete(key)
    })
    for (const notice of this.#open.values()) this.#send(notice)
  }

  stop(): void {
    this.#bus = undefined
  }

  notify(notice: Notice): void {
    this.#open.set(notice.key, notice)
    this.#send(notice)
  }

  withdraw(key: string): void {
    this.#open.delete(key)
    const id = this.#ids.get(key)
    if (id !== undefined) this.#close(id)
    this.#ids.delete(key)
  }

  #keyOf(id: unknown): string | undefined {
    return [...this.#ids].find(([, known]) => known === id)?.[0]
  }

  #send({ key, title, body }: Notice): void {
    const actions = ['default', 'Open dashboard']
    const hints = [
      ['urgency', variant('y', CRITICAL)],
      ['desktop-entry', variant('s', 'sallyport-tray')],
    ]
    const content = ['Sallyport', NEW, 'sallyport', title, plain(body), actions, hints, NEVER_EXPIRES]
    this.#bus?.call({ ...SERVICE, member: 'Notify', signature: 'susssasa{sv}i', body: content }).then(
      (id) => {
        if (typeof id !== 'number') return
        if (this.#open.has(key)) this.#ids.set(key, id)
        // It was answered while the desktop drew it.
        else this.#close(id)
      },
      () => {},
    )
  }

  #close(id: number): void {
    this.#bus?.call({ ...SERVICE, member: 'CloseNotification', signature: 'u', body: [id] }).catch(() => {})
  }
}
