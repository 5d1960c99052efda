/** What the dashboard's page is drawn with. What others wrote enters as text nodes only, and nothing is drawn anew that looks as before. */
import { UNSEEN } from '@sallyport/core/shown'

export const TOOLS = String.raw`
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
// Marks that nobody sees, or that turn the order of letters around, are spelled out: names and paths are what somebody decides by.
const UNSEEN = new RegExp(${JSON.stringify(UNSEEN)}, 'gu')
const spelled = (text) => text.replace(UNSEEN, (mark) => '\\u{' + mark.codePointAt(0).toString(16) + '}')
const code = (text) => make('code', '', spelled(String(text)))
// A name within a sentence: whichever way it is written, the words around it stay where they are.
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

// Drawn anew only when it changed: a button must not go away under a click, nor a text under a selection, and a screen reader is not to repeat itself.
const drawn = new Map()
const looks = (child) => (typeof child === 'string' ? child : child.outerHTML)
const fill = (id, ...children) => {
  const look = children.map(looks).join('\n')
  if (drawn.get(id) === look) return
  drawn.set(id, look)
  at(id).replaceChildren(...children)
  settle(at(id))
}
// A click that was meant for what stood here a moment ago must not decide something else.
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
