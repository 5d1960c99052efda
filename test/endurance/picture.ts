/** The curves of a run as one SVG: memory, descriptors and latency over time. It follows the colours of its reader, light or dark. */
import type { Sample } from './sampler.ts'
import type { Minute, Timed } from './tally.ts'

export interface Curves {
  readonly title: string
  readonly samples: readonly Sample[]
  readonly minutes: readonly Minute[]
  /** Seconds. */
  readonly loadS: number
  readonly warmUpS: number
}

type Point = readonly [s: number, value: number]

interface Line {
  readonly name: string
  /** A class of the style below. */
  readonly look: 'one' | 'two' | 'three' | 'four' | 'five'
  readonly points: readonly Point[]
}

interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

const WIDTH = 960
const LEFT = 56
const RIGHT = 16
const HEADER = 56
const PANEL = 220
const PLOT_TOP = 42
const PLOT_HEIGHT = 140
const KIB_PER_MIB = 1024
const MINUTE_S = 60
const STEPS = [1, 2, 5]
const TICKS = 4
const MINUTE_TICKS = 12
/** More points than pixels say nothing. */
const MOST_POINTS = 900

const STYLE = `
svg{background:#fff;font:12px system-ui,sans-serif}
text{fill:#24292f}
.grid{stroke:#d8dee4;stroke-width:1}
.load{fill:#f0f3f6}.warm{fill:#e4e9ee}
path{fill:none;stroke-width:1.5}
.one{stroke:#0550ae;fill:#0550ae}.two{stroke:#9a6700;fill:#9a6700}.three{stroke:#116329;fill:#116329}
.four{stroke:#8250df;fill:#8250df}.five{stroke:#6e7781;fill:#6e7781}
path.one,path.two,path.three,path.four,path.five{fill:none}
@media (prefers-color-scheme:dark){
svg{background:#0d1117}text{fill:#e6edf3}.grid{stroke:#30363d}.load{fill:#161b22}.warm{fill:#21262d}
.one{stroke:#79c0ff;fill:#79c0ff}.two{stroke:#e3b341;fill:#e3b341}.three{stroke:#7ee787;fill:#7ee787}
.four{stroke:#d2a8ff;fill:#d2a8ff}.five{stroke:#8b949e;fill:#8b949e}
path.one,path.two,path.three,path.four,path.five{fill:none}}`

const round = (value: number): number => Math.round(value * 10) / 10

/** A round number that is at least as large. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return (STEPS.find((step) => step * power >= least) ?? 10) * power
}

/** The lowest and the highest value of each run of points that would share a pixel. */
function thinned(points: readonly Point[]): readonly Point[] {
  const size = Math.ceil(points.length / (MOST_POINTS / 2))
  if (size <= 2) return points
  return Array.from({ length: Math.ceil(points.length / size) }, (_, index) => points.slice(index * size, (index + 1) * size)).flatMap(
    (run) => {
      const sorted = run.toSorted(([, a], [, b]) => a - b)
      return [sorted[0], sorted.at(-1)].flatMap((point) => (point === undefined ? [] : [point])).toSorted(([a], [b]) => a - b)
    },
  )
}

const timesOf = (minutes: readonly Minute[], what: Timed, share: 'p50' | 'p99'): readonly Point[] =>
  minutes.flatMap(({ minute, times }) => {
    const found = times[what]
    return found === undefined ? [] : [[(minute + 0.5) * MINUTE_S, found[share]] as const]
  })

function panelsOf({ samples, minutes }: Curves): readonly Panel[] {
  const figure = (valueOf: (sample: Sample) => number): readonly Point[] => samples.map((sample) => [sample.s, valueOf(sample)] as const)
  return [
    {
      title: 'Memory, MiB',
      lines: [
        { name: 'private', look: 'one', points: figure((sample) => sample.private / KIB_PER_MIB) },
        { name: 'resident', look: 'five', points: figure((sample) => sample.rss / KIB_PER_MIB) },
      ],
    },
    {
      title: 'Descriptors and threads',
      lines: [
        { name: 'descriptors', look: 'one', points: figure(({ descriptors }) => descriptors) },
        { name: 'threads', look: 'five', points: figure(({ threads }) => threads) },
      ],
    },
    {
      title: 'Latency by the minute, ms',
      lines: [
        { name: 'SET_ACTIVITY, median', look: 'one', points: timesOf(minutes, 'call', 'p50') },
        { name: 'p99', look: 'two', points: timesOf(minutes, 'call', 'p99') },
        { name: 'the floor, median', look: 'five', points: timesOf(minutes, 'floor', 'p50') },
        { name: 'forwarded call, median', look: 'three', points: timesOf(minutes, 'forwarded', 'p50') },
        { name: 'event, median', look: 'four', points: timesOf(minutes, 'event', 'p50') },
      ],
    },
  ]
}

const text = (x: number, y: number, words: string, more = ''): string => `<text x="${round(x)}" y="${round(y)}"${more}>${words}</text>`

function legend(lines: readonly Line[], y: number): string {
  let x = LEFT
  return lines
    .map(({ name, look }) => {
      const at = x
      x += 34 + name.length * 6.6
      return `<rect class="${look}" x="${round(at)}" y="${y - 8}" width="14" height="3"/>${text(at + 19, y - 2, name)}`
    })
    .join('')
}

export function pictureOf(curves: Curves): string {
  const { title, samples, loadS, warmUpS } = curves
  const seconds = samples.map(({ s }) => s)
  const from = Math.min(0, ...seconds)
  const to = Math.max(loadS, ...seconds)
  const x = (s: number): number => LEFT + ((s - from) / (to - from)) * (WIDTH - LEFT - RIGHT)
  const panels = panelsOf(curves).map(({ title: name, lines }, index) => {
    const top = HEADER + index * PANEL + PLOT_TOP
    const most = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)), Number.MIN_VALUE)
    const step = niceStep(most / TICKS)
    const highest = Math.ceil(most / step) * step
    const y = (value: number): number => top + PLOT_HEIGHT * (1 - value / highest)
    const grid = Array.from({ length: Math.round(highest / step) + 1 }, (_, tick) => tick * step).map(
      (value) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(value))}" y2="${round(y(value))}"/>` +
        text(LEFT - 6, y(value) + 4, String(round(value * 100) / 100), ' text-anchor="end"'),
    )
    const band = (look: string, begin: number, end: number): string =>
      `<rect class="${look}" x="${round(x(begin))}" y="${top}" width="${round(x(end) - x(begin))}" height="${PLOT_HEIGHT}"/>`
    const curve = ({ look, points }: Line): string =>
      points.length === 0
        ? ''
        : `<path class="${look}" d="M${thinned(points)
            .map(([s, value]) => `${round(x(s))} ${round(y(value))}`)
            .join('L')}"/>`
    return [
      text(LEFT, top - 24, name, ' font-weight="600"'),
      legend(lines, top - 4),
      band('load', 0, loadS),
      band('warm', 0, Math.min(warmUpS, loadS)),
      ...grid,
      ...lines.map(curve),
    ].join('\n')
  })
  const bottom = HEADER + panels.length * PANEL
  const minuteStep = niceStep((to - from) / MINUTE_S / MINUTE_TICKS)
  const ticks = Array.from({ length: Math.floor(to / MINUTE_S / minuteStep) + 1 }, (_, tick) => tick * minuteStep).map((minute) =>
    text(x(minute * MINUTE_S), bottom - 14, String(round(minute)), ' text-anchor="middle"'),
  )
  const height = bottom + 12
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${title}</title><style>${STYLE}</style>
${text(LEFT, 24, title, ' font-weight="600" font-size="15"')}
${text(LEFT, 42, 'Shaded: the load; darker: its warm-up, which does not count. Below: minutes of the load.')}
${panels.join('\n')}
${ticks.join('')}
</svg>
`
}
