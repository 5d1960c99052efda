/**
 * Numbers the items of a menu for a tray host. A number never means another action later: a user may click an item while the menu changes, and
 * must not answer a prompt that took its place.
 */
import type { Menu, MenuItem } from './menu.ts'
import type { TrayAction } from './state.ts'

export type NumberedItem =
  | { readonly id: number; readonly isSeparator: true }
  | {
      readonly id: number
      readonly isSeparator: false
      readonly label: string
      readonly isEnabled: boolean
      readonly isChecked?: boolean
      readonly items: readonly NumberedItem[]
    }

export class MenuNumbers {
  #last = 0
  /** Of the current menu, by what identifies an item. */
  #ids = new Map<string, number>()
  #actions = new Map<number, TrayAction>()

  number(menu: Menu): readonly NumberedItem[] {
    const before = this.#ids
    this.#ids = new Map()
    this.#actions = new Map()
    const idOf = (key: string): number => {
      // The same item twice in one menu has two numbers.
      const unique = this.#ids.has(key) ? `${key} ${this.#ids.size}` : key
      const id = before.get(unique) ?? ++this.#last
      this.#ids.set(unique, id)
      return id
    }
    const numbered = ({ label, action, isChecked, items }: MenuItem, path: string): NumberedItem => {
      const key = action === undefined ? `${path}/${label}` : `${path}:${JSON.stringify(action)}`
      const id = idOf(key)
      if (action !== undefined) this.#actions.set(id, action)
      return {
        id,
        isSeparator: false,
        label,
        isEnabled: action !== undefined || items !== undefined,
        ...(isChecked === undefined ? {} : { isChecked }),
        items: (items ?? []).map((item) => numbered(item, key)),
      }
    }
    return menu.flatMap((group, index) => [
      ...(index === 0 ? [] : [{ id: idOf(`line ${index}`), isSeparator: true } as const]),
      ...group.map((item) => numbered(item, '')),
    ])
  }

  /** Undefined for an item that the current menu no longer has. */
  actionOf(id: number): TrayAction | undefined {
    return this.#actions.get(id)
  }
}
