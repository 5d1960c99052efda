/** Elements of the page. Foreign text enters as text nodes only. */
import { escapeInvisible } from '@sallyport/core/display-text'

type Child = Node | string | undefined

/** A new element; children that are undefined are omitted. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  if (className !== '') element.className = className
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Invisible characters and direction marks are escaped, because the user decides by names and paths. */
export const code = (text: string, className: '' | 'whole' | 'path' = ''): HTMLElement => make('code', className, escapeInvisible(text))

/** A name within a sentence, isolated so that right-to-left text does not move the words around it. */
export const named = (text: string): HTMLElement => make('bdi', '', escapeInvisible(text))

export const soft = (text: string): HTMLElement => make('span', 'soft', text)
export const hint = (...children: readonly Child[]): HTMLElement => make('p', 'hint', ...children)
export const problem = (text: string): HTMLElement => make('p', 'problem', text)

/** A link that opens in a tab of its own; addresses other than HTTP are not linked. */
export function linkTo(url: string, text: string): HTMLAnchorElement {
  const link = make('a', '', text)
  if (/^https?:/.test(url)) link.href = url
  link.target = '_blank'
  link.rel = 'noreferrer noopener'
  return link
}

/** Labels with their values. */
export const definitions = (pairs: readonly (readonly [label: string, value: Node | string])[]): HTMLElement =>
  make('dl', '', ...pairs.flatMap(([label, value]) => [make('dt', '', label), make('dd', '', value)]))

interface ButtonOptions {
  /** Whether it can be clicked again after it did its work. */
  readonly isRepeatable: boolean
}

/** A button whose click sends a POST to the path; main.ts does so. */
export function button(label: string, path: string, { isRepeatable }: ButtonOptions = { isRepeatable: false }): HTMLButtonElement {
  const element = make('button', '', label)
  element.type = 'button'
  element.dataset['path'] = path
  if (isRepeatable) element.dataset['repeatable'] = ''
  return element
}

const rest = (omitted: number): HTMLElement | undefined => (omitted > 0 ? make('p', 'rest', `And ${omitted} more.`) : undefined)

/** An element per item, and how many the daemon left out. */
export const cards = <Item>(items: readonly Item[], cardOf: (item: Item) => HTMLElement, omitted = 0): readonly HTMLElement[] =>
  [...items.map(cardOf), rest(omitted)].filter((card) => card !== undefined)

interface Rows<Item> {
  readonly items: readonly Item[]
  readonly cellsOf: (item: Item) => readonly (Node | string)[]
  /** How many items the daemon left out. */
  readonly omitted: number | undefined
}

/** A row per item. */
export function table<Item>(heads: readonly string[], { items, cellsOf, omitted = 0 }: Rows<Item>): HTMLElement {
  const rows = items.map((item) => make('tr', '', ...cellsOf(item).map((cell) => make('td', '', cell))))
  const head = make('thead', '', make('tr', '', ...heads.map((text) => make('th', '', text))))
  return make('div', 'scroll', make('table', '', head, make('tbody', '', ...rows)), rest(omitted))
}
