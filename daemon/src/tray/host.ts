/** The desktop's side of the tray: shows icon, menu and notifications. One for D-Bus, one for the native helpers. */
import type { IconKind } from './menu.ts'
import type { NumberedItem } from './numbered-menu.ts'

export interface TrayView {
  readonly icon: IconKind
  readonly tip: string
  readonly menu: readonly NumberedItem[]
}

/** What a click on a notification asks for. `open`: to see more, on the dashboard or on the page of the platform. */
export type NoticeAnswer = 'allow' | 'deny' | 'open'

export interface Notice {
  /** The prompt or the page that it is about. */
  readonly key: string
  readonly title: string
  readonly body: string
  /** What a click does, for a host without buttons. */
  readonly hint: string
  /** Whether its texts say all that the user decides by, so that it can be answered where it is shown. */
  readonly isAnswerable: boolean
}

export interface TrayHost {
  /** The last view is what the host shows, as soon as it can. */
  show(view: TrayView): void
  notify(notice: Notice): void
  /** The prompt was answered elsewhere. */
  withdraw(key: string): void
  close(): Promise<void>
}

export interface HostListener {
  /** The user chose an item. */
  onChoice(id: number): void
  /** The user clicked a notification. Only a host that knows who reports the click says another answer than `open`. */
  onNotice(key: string, answer: NoticeAnswer): void
  /** The host has ended and shows nothing any more. */
  onEnd(reason: string): void
}
