/** The object com.canonical.dbusmenu: a menu that the panel draws. */
import { allIn, itemIn, type LayoutItem, menuLayout } from './menu-layout.ts'
import { type SessionBus, variant } from './session-bus.ts'
import type { NumberedItem } from '../numbered-menu.ts'

export const MENU_PATH = '/MenuBar'
const INTERFACE = 'com.canonical.dbusmenu'
const VERSION = 3
/** Children of children, without a limit. */
const ALL_LEVELS = -1

const DESCRIPTOR = {
  name: INTERFACE,
  methods: {
    GetLayout: ['iias', 'u(ia{sv}av)', ['parent', 'depth', 'names'], ['revision', 'layout']],
    GetGroupProperties: ['aias', 'a(ia{sv})', ['ids', 'names'], ['properties']],
    GetProperty: ['is', 'v', ['id', 'name'], ['value']],
    Event: ['isvu', '', ['id', 'event', 'data', 'time'], []],
    EventGroup: ['a(isvu)', 'ai', ['events'], ['missing']],
    AboutToShow: ['i', 'b', ['id'], ['isNew']],
    AboutToShowGroup: ['ai', 'aiai', ['ids'], ['updates', 'missing']],
  } satisfies Record<string, [string, string, string[], string[]]>,
  signals: { LayoutUpdated: ['ui', 'revision', 'parent'] },
  properties: { Version: 'u', TextDirection: 's', Status: 's', IconThemePath: 'as' },
}

const NO_ITEM = 'This menu has no such item any more.'

/** `names`: empty for all. */
const dictionary = ({ properties }: LayoutItem, names: readonly string[]): readonly (readonly [string, unknown])[] =>
  properties
    .filter(([name]) => names.length === 0 || names.includes(name))
    .map(([name, signature, value]) => [name, variant(signature, value)] as const)

const struct = (item: LayoutItem, depth: number, names: readonly string[]): readonly unknown[] => [
  item.id,
  dictionary(item, names),
  depth === 0
    ? []
    : item.children.map((child) => variant('(ia{sv}av)', struct(child, depth === ALL_LEVELS ? ALL_LEVELS : depth - 1, names))),
]

export class BusMenu {
  readonly #onChoice: (id: number) => void
  #bus: SessionBus | undefined
  #layout: LayoutItem = menuLayout([])
  #revision = 1

  constructor(onChoice: (id: number) => void) {
    this.#onChoice = onChoice
  }

  show(items: readonly NumberedItem[]): void {
    const layout = menuLayout(items)
    if (JSON.stringify(layout) === JSON.stringify(this.#layout)) return
    this.#layout = layout
    this.#revision++
    this.#bus?.signal(MENU_PATH, INTERFACE, 'LayoutUpdated', 'ui', [this.#revision, layout.id])
  }

  export(bus: SessionBus): void {
    this.#bus = bus
    const itemOf = (id: number): LayoutItem => {
      const item = itemIn(this.#layout, id)
      if (item === undefined) throw new Error(NO_ITEM)
      return item
    }
    const choose = (id: number, event: string): boolean => {
      if (itemIn(this.#layout, id) === undefined) return false
      if (event === 'clicked') this.#onChoice(id)
      return true
    }
    bus.export(MENU_PATH, DESCRIPTOR, {
      Version: VERSION,
      TextDirection: 'ltr',
      Status: 'normal',
      IconThemePath: [],
      GetLayout: (parent: number, depth: number, names: readonly string[]) => [this.#revision, struct(itemOf(parent), depth, names)],
      GetGroupProperties: (ids: readonly number[], names: readonly string[]) =>
        (ids.length === 0 ? allIn(this.#layout) : ids.flatMap((id) => itemIn(this.#layout, id) ?? [])).map((item) => [
          item.id,
          dictionary(item, names),
        ]),
      GetProperty: (id: number, name: string) => {
        const [found] = dictionary(itemOf(id), [name])
        if (found === undefined) throw new Error('This item has no such property.')
        return found[1]
      },
      // Without a result, also for an item that has gone meanwhile.
      Event: (id: number, event: string) => {
        choose(id, event)
        return null
      },
      EventGroup: (events: readonly (readonly [number, string])[]) => events.filter(([id, event]) => !choose(id, event)).map(([id]) => id),
      AboutToShow: () => false,
      AboutToShowGroup: (ids: readonly number[]) => [[], ids.filter((id) => itemIn(this.#layout, id) === undefined)],
    })
  }
}
