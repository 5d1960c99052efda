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

export interface ButtonOptions {
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

const MAX_ITEMS = 200

const rest = (items: readonly unknown[]): HTMLElement | undefined =>
  items.length > MAX_ITEMS ? make('p', 'rest', `And ${items.length - MAX_ITEMS} more.`) : undefined

/** An element per item, at most 200. */
export const cards = <Item>(items: readonly Item[], cardOf: (item: Item) => HTMLElement): readonly HTMLElement[] =>
  [...items.slice(0, MAX_ITEMS).map(cardOf), rest(items)].filter((card) => card !== undefined)

/** A row per item, at most 200. */
export function table<Item>(
  heads: readonly string[],
  items: readonly Item[],
  cellsOf: (item: Item) => readonly (Node | string)[],
): HTMLElement {
  const rows = items.slice(0, MAX_ITEMS).map((item) => make('tr', '', ...cellsOf(item).map((cell) => make('td', '', cell))))
  const head = make('thead', '', make('tr', '', ...heads.map((text) => make('th', '', text))))
  return make('div', 'scroll', make('table', '', head, make('tbody', '', ...rows)), rest(items))
}
