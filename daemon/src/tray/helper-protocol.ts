/**
 * The lines between the tray and its native helper, which shows the icon on Windows and macOS. A line is words with tabs between them, in UTF-8;
 * in a word, `\n` is a line break and `\\` a backslash. Texts have no control characters, so they have no tabs. Pure.
 *
 * To the helper: `icon SIZE HEX` (red, green, blue and opacity of each pixel), `tip TEXT`, then the menu: `menu`, one `item DEPTH ID FLAGS LABEL`
 * per item in the order of display, `end`. FLAGS are letters: `-` none, `d` disabled, `c` checked, `s` a separator, `p` items of the next depth
 * follow. `notify KEY TITLE BODY`, `withdraw KEY`, `quit`. From the helper: `ready`, `choice ID`, `notice KEY`, `busy`: another tray runs.
 */
import type { Notice, TrayView } from './host.ts'
import { iconPixels } from './icon.ts'
import type { NumberedItem } from './numbered-menu.ts'

const ICON_SIZE = 32

const word = (text: string): string =>
  text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/[\t\r]/g, ' ')
const line = (...words: readonly (string | number)[]): string => `${words.map((one) => word(String(one))).join('\t')}\n`

function flagsOf(item: NumberedItem): string {
  if (item.isSeparator) return 's'
  const flags = [item.isEnabled ? '' : 'd', item.isChecked === true ? 'c' : '', item.items.length > 0 ? 'p' : ''].join('')
  return flags === '' ? '-' : flags
}

const itemLines = (items: readonly NumberedItem[], depth = 0): string =>
  items
    .map((item) =>
      item.isSeparator
        ? line('item', depth, item.id, flagsOf(item), '')
        : line('item', depth, item.id, flagsOf(item), item.label) + itemLines(item.items, depth + 1),
    )
    .join('')

export const viewLines = ({ icon, tip, menu }: TrayView): string =>
  [line('icon', ICON_SIZE, iconPixels(ICON_SIZE, icon).toString('hex')), line('tip', tip), line('menu'), itemLines(menu), line('end')].join(
    '',
  )

export const noticeLine = ({ key, title, body, hint }: Notice): string =>
  line('notify', key, title, hint === '' ? body : `${body}\n${hint}`)
export const withdrawLine = (key: string): string => line('withdraw', key)
export const QUIT_LINE = line('quit')

type HelperMessage =
  | { readonly event: 'ready' | 'busy' }
  | { readonly event: 'choice'; readonly id: number }
  | { readonly event: 'notice'; readonly key: string }

/** Undefined for a line that no helper sends. */
export function helperMessage(text: string): HelperMessage | undefined {
  const [event, value = ''] = text.trimEnd().split('\t')
  if (event === 'ready' || event === 'busy') return { event }
  if (event === 'choice' && /^\d{1,9}$/.test(value)) return { event, id: Number(value) }
  return event === 'notice' && value !== '' ? { event, key: value } : undefined
}
