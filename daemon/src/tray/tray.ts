/** Joins the state of the bridge with a tray host: shows menus, notifies about prompts, and passes on what the user chooses. */
import type { BridgeState } from '@sallyport/protocol'
import type { HostListener, Notice, TrayHost } from './host.ts'
import { iconOf, stateText, trayMenu } from './menu.ts'
import { MenuNumbers } from './numbered-menu.ts'
import type { PlatformChoice, TrayAction, TrayState } from './state.ts'

/** The other lines are in the menu and on the dashboard. */
const NOTICE_LINES = new Set(['Application', 'Account', 'Program', 'Starts'])

const noticeOf = (prompt: BridgeState['prompts'][number]): Notice => ({
  key: prompt.id,
  title: prompt.title,
  body: [
    ...prompt.lines.filter(({ label }) => NOTICE_LINES.has(label)).map(({ label, text }) => `${label}: ${text}`),
    'Click to answer on the dashboard, or use the menu of the tray.',
  ].join('\n'),
})

export class Tray {
  readonly #host: TrayHost
  readonly #numbers = new MenuNumbers()
  /** Prompts with a notification. */
  #notified = new Set<string>()

  constructor(openHost: (listener: HostListener) => TrayHost, perform: (action: TrayAction) => void, onEnd: (reason: string) => void) {
    this.#host = openHost({
      onChoice: (id) => {
        const action = this.#numbers.actionOf(id)
        if (action !== undefined) perform(action)
      },
      onNotice: () => perform({ do: 'open-dashboard' }),
      onEnd,
    })
  }

  show(state: TrayState, choice: PlatformChoice): void {
    const menu = this.#numbers.number(trayMenu(state, choice))
    this.#host.show({ icon: iconOf(state), tip: stateText(state), menu })
    const prompts = state.kind === 'connected' ? state.bridge.prompts : []
    const open = new Set(prompts.map(({ id }) => id))
    for (const id of this.#notified) if (!open.has(id)) this.#host.withdraw(id)
    for (const prompt of prompts) if (!this.#notified.has(prompt.id)) this.#host.notify(noticeOf(prompt))
    this.#notified = open
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}
