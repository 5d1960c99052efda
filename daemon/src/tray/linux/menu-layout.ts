/** A numbered menu in the form of com.canonical.dbusmenu: ids, properties, children. Pure. */
import type { NumberedItem } from '../numbered-menu.ts'

/** A property and the D-Bus signature of its value. */
type Property = readonly [name: string, signature: 's' | 'b' | 'i', value: string | boolean | number]

export interface LayoutItem {
  readonly id: number
  readonly properties: readonly Property[]
  readonly children: readonly LayoutItem[]
}

const ROOT = 0

/** An underscore marks the next letter as the key of the item. */
const labelOf = (label: string): string => label.replaceAll('_', '__')

function propertiesOf(item: NumberedItem): readonly Property[] {
  if (item.isSeparator) return [['type', 's', 'separator']]
  return [
    ['label', 's', labelOf(item.label)],
    ...(item.isEnabled ? [] : [['enabled', 'b', false] as const]),
    ...(item.items.length === 0 ? [] : [['children-display', 's', 'submenu'] as const]),
    ...(item.isChecked === undefined
      ? []
      : [['toggle-type', 's', 'checkmark'] as const, ['toggle-state', 'i', item.isChecked ? 1 : 0] as const]),
  ]
}

const layoutItem = (item: NumberedItem): LayoutItem => ({
  id: item.id,
  properties: propertiesOf(item),
  children: item.isSeparator ? [] : item.items.map(layoutItem),
})

export const menuLayout = (items: readonly NumberedItem[]): LayoutItem => ({
  id: ROOT,
  properties: [['children-display', 's', 'submenu']],
  children: items.map(layoutItem),
})

/** Undefined if the menu has no such item. */
export function itemIn(layout: LayoutItem, id: number): LayoutItem | undefined {
  if (layout.id === id) return layout
  for (const child of layout.children) {
    const found = itemIn(child, id)
    if (found !== undefined) return found
  }
  return undefined
}

/** All items, also those of submenus. */
export const allIn = (layout: LayoutItem): readonly LayoutItem[] => [layout, ...layout.children.flatMap(allIn)]
