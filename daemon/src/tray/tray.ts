/** Joins the state of the bridge with a tray host: shows menus, notifies about what waits for the user, and passes on what the user chooses. */
import type { HostListener, TrayHost } from './host.ts'
import { iconOf, stateText, trayMenu } from './menu.ts'
import { noticesOf, type TrayNotice } from './notices.ts'
import { MenuNumbers } from './numbered-menu.ts'
import type { PlatformChoice, TrayAction, TrayState } from './state.ts'

/** Of the notification about what the tray could not do. */
const PROBLEM = 'problem'

export class Tray {
  readonly #host: TrayHost
  readonly #numbers = new MenuNumbers()
  /** What the user is notified about, by key. */
  #notices = new Map<string, TrayNotice>()

  constructor(openHost: (listener: HostListener) => TrayHost, perform: (action: TrayAction) => void, onEnd: (reason: string) => void) {
    this.#host = openHost({
      onChoice: (id) => {
        const action = this.#numbers.actionOf(id)
        if (action !== undefined) perform(action)
      },
      onNotice: (key, answer) => {
        const action = this.#notices.get(key)?.[answer]
        if (action !== undefined) perform(action)
      },
      onEnd,
    })
  }

  show(state: TrayState, choice: PlatformChoice): void {
    const menu = this.#numbers.number(trayMenu(state, choice))
    this.#host.show({ icon: iconOf(state), tip: stateText(state), menu })
    const now = new Map(noticesOf(state).map((notice) => [notice.key, notice]))
    for (const key of this.#notices.keys()) if (!now.has(key)) this.#host.withdraw(key)
    for (const notice of now.values()) if (!this.#notices.has(notice.key)) this.#host.notify(notice)
    this.#notices = now
  }

  /** Shows what could not be done: no user reads the output of a tray. */
  report(problem: string): void {
    this.#host.withdraw(PROBLEM)
    this.#host.notify({ key: PROBLEM, title: 'Sallyport', body: problem, hint: '', isAnswerable: false })
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}
