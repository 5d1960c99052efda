/** The desktop's side of the tray: shows icon, menu and notifications. One for D-Bus, one for the native helpers. */
import type { IconKind } from './menu.ts'
import type { NumberedItem } from './numbered-menu.ts'

export interface TrayView {
  readonly icon: IconKind
  readonly tip: string
  readonly menu: readonly NumberedItem[]
}

export interface Notice {
  /** The prompt that it is about. */
  readonly key: string
  readonly title: string
  readonly body: string
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
  /** The user clicked a notification. */
  onNotice(key: string): void
  /** The host has ended and shows nothing any more. */
  onEnd(reason: string): void
}
