/** Colours of text for a terminal. */
import { inspect, styleText } from 'node:util'
import type { Machine } from '../config/paths.ts'

const STYLES = ['bold', 'dim', 'red', 'yellow', 'green'] as const
export type Style = (typeof STYLES)[number]

/** Gives a text a style, where colours are shown. */
export type Paint = (style: Style, text: string) => string

const paint: Paint = (style, text) => styleText(style, text, { validateStream: false })
const plain: Paint = (_style, text) => text

export const painterOf = (hasColours: boolean): Paint => (hasColours ? paint : plain)

/** What a painter writes, as a part that splits a text. */
export const STYLE_CODE = new RegExp(`(\u001b\\[(?:${STYLES.flatMap((style) => inspect.colors[style] ?? []).join('|')})m)`)

const OFF: readonly unknown[] = ['0', 'false']

/** FORCE_COLOR decides, then NO_COLOR, then whether there is a terminal: as Node decides for its own output. */
export function showsColours({ FORCE_COLOR: force, NO_COLOR: no, TERM: terminal }: Machine['env'], isTerminal: boolean): boolean {
  if (force !== undefined) return !OFF.includes(force)
  return isTerminal && !no && terminal !== 'dumb'
}
