/** The curves of growth as one SVG: a panel for each, with both axes linear, so that a linear cost is a straight line. Pure. */
import { figureText } from './figures.ts'
import { type Curve, shapeOf } from './growth.ts'

/** Each is readable on a white page and on a black one, so the picture needs no background. */
const INK = '#76808c'
const FAINT = '#76808c55'
const LINE = '#2f81f7'

const COLUMNS = 2
/** Between the texts of two numbers. */
const LABEL_ROOM = 48
const PANEL = { width: 430, height: 230 } as const
/** Of the plot in its panel. */
const PLOT = { left: 78, right: 400, top: 52, bottom: 186 } as const
const SAID: Readonly<Record<ReturnType<typeof shapeOf>, string>> = {
  flat: 'flat',
  falling: 'falling',
  linear: 'linear',
  convex: 'faster than linear',
  concave: 'slower than linear',
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const text = (x: number, y: number, said: string, more = ''): string => `<text x="${x}" y="${y}" ${more}>${escaped(said)}</text>`
const place = (value: number): string => value.toFixed(1)

/** Where a number is in its panel. */
function across({ points }: Curve): (at: number) => number {
  const least = points[0]?.at ?? 0
  const most = points.at(-1)?.at ?? least
  return (at) => PLOT.left + ((at - least) / (most - least)) * (PLOT.right - PLOT.left)
}

/** The first number and the last, and those between that have room for their text. */
const labelled = <Dot extends { readonly x: string }>(dots: readonly Dot[]): readonly Dot[] =>
  dots.filter((dot, index) => {
    const isEnd = index === 0 || index === dots.length - 1
    return isEnd || (Number(dot.x) - PLOT.left >= LABEL_ROOM && PLOT.right - Number(dot.x) >= LABEL_ROOM)
  })

function panelOf(curve: Curve, index: number): string {
  const { name, of, points, unit } = curve
  const x = across(curve)
  const most = Math.max(...points.map(({ figure }) => figure))
  const y = (figure: number): number => PLOT.bottom - (figure / most) * (PLOT.bottom - PLOT.top)
  const dots = points.map(({ at, figure }) => ({ at, x: place(x(at)), y: place(y(figure)) }))
  const rules = [0, most].map((figure) => `<path d="M${PLOT.left} ${place(y(figure))}H${PLOT.right}" stroke="${FAINT}"/>`)
  const scale = [0, most].map((figure) => text(PLOT.left - 8, y(figure) + 4, figureText(figure, unit), 'text-anchor="end"'))
  const numbers = labelled(dots).map((dot) => text(Number(dot.x), PLOT.bottom + 18, dot.at.toLocaleString('en'), 'text-anchor="middle"'))
  return [
    `<g transform="translate(${(index % COLUMNS) * PANEL.width} ${Math.floor(index / COLUMNS) * PANEL.height})">`,
    text(8, 20, name, 'font-weight="600" font-size="13"'),
    text(8, 37, SAID[shapeOf(curve)], `fill="${LINE}"`),
    ...rules,
    ...scale,
    ...numbers,
    text(PLOT.right, PLOT.bottom + 34, of, 'text-anchor="end"'),
    `<polyline points="${dots.map((dot) => `${dot.x},${dot.y}`).join(' ')}" fill="none" stroke="${LINE}" stroke-width="2"/>`,
    ...dots.map((dot) => `<circle cx="${dot.x}" cy="${dot.y}" r="3.5" fill="${LINE}"/>`),
    '</g>',
  ].join('\n')
}

export function pictureOf(curves: readonly Curve[]): string {
  const width = COLUMNS * PANEL.width
  const height = Math.ceil(curves.length / COLUMNS) * PANEL.height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    `  font-family="system-ui, sans-serif" font-size="12" fill="${INK}" role="img">`,
    '<title>How costs grow</title>',
    ...curves.map(panelOf),
    '</svg>',
    '',
  ].join('\n')
}
