/** DOM helpers of the dashboard's page. Foreign text enters as text nodes only; unchanged parts are not replaced. */
import { INVISIBLE } from '@sallyport/core/display-text'

export const DOM_HELPERS = String.raw`
'use strict'
const MOST = 200
const SETTLE_MS = 500

const at = (id) => document.getElementById(id)
const make = (tag, className, ...children) => {
  const element = document.createElement(tag)
  if (className) element.className = className
  element.append(...children.filter((child) => child !== undefined && child !== null))
  return element
}
// Invisible characters and direction marks are escaped, because the user decides by names and paths.
const UNSEEN = new RegExp(${JSON.stringify(INVISIBLE)}, 'gu')
const spelled = (text) => text.replace(UNSEEN, (mark) => '\\u{' + mark.codePointAt(0).toString(16) + '}')
const code = (text) => make('code', '', spelled(String(text)))
// A name within a sentence, isolated so that right-to-left text does not move the words around it.
const named = (text) => make('bdi', '', spelled(String(text)))
const listed = (lines) =>
  make('dl', '', ...lines.flatMap(({ label, text }) => [make('dt', '', label), make('dd', '', make('bdi', '', spelled(text)))]))
const soft = (text) => make('span', 'soft', text)
const hint = (...children) => make('p', 'hint', ...children)
const linkTo = (url, ...children) => {
  const link = make('a', '', ...children)
  if (/^https?:/.test(url)) link.href = url
  link.target = '_blank'
  link.rel = 'noreferrer noopener'
  return link
}

// Replaced only when it changed, so that clicks and selections survive and a screen reader does not repeat it.
const drawn = new Map()
const looks = (child) => (typeof child === 'string' ? child : child.outerHTML)
const fill = (id, ...children) => {
  const look = children.map(looks).join('\n')
  if (drawn.get(id) === look) return
  drawn.set(id, look)
  at(id).replaceChildren(...children)
  settle(at(id))
}
// New buttons are disabled for a moment, so that a click meant for the previous content does not hit them.
const settle = (place) => {
  const fresh = [...place.querySelectorAll('button')]
  for (const element of fresh) element.disabled = true
  setTimeout(() => fresh.forEach((element) => (element.disabled = false)), SETTLE_MS)
}

const rest = (items) => (items.length > MOST ? make('p', 'rest', 'And ' + (items.length - MOST) + ' more.') : undefined)
const cards = (items, cardOf) => [...items.slice(0, MOST).map(cardOf), rest(items)].filter((card) => card !== undefined)
const table = (heads, items, cellsOf) =>
  make('div', 'scroll', make('table', '',
    make('thead', '', make('tr', '', ...heads.map((head) => make('th', '', head)))),
    make('tbody', '', ...items.slice(0, MOST).map((item, index, all) => make('tr', '', ...cellsOf(item, index, all).map((cell) => make('td', '', cell)))))),
    rest(items))

const clock = (ms) => {
  const s = Math.max(0, Math.floor(ms / 1000))
  const two = (n) => String(n).padStart(2, '0')
  return (s >= 3600 ? Math.floor(s / 3600) + ':' : '') + two(Math.floor(s / 60) % 60) + ':' + two(s % 60)
}
const day = (ms) => new Date(ms).toLocaleDateString()
`
