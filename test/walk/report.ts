/** The tables of a walk, in Markdown. */
export interface Row {
  readonly step: string
  readonly game: string
  readonly client: string
  readonly sockets: string
  readonly seconds: string
  /** What is not as it should be, a sentence each. */
  readonly wrong: readonly string[]
}

/** Where something appeared in the first minute. */
export type Place = 'typed' | 'terminal' | 'journal' | 'notification' | 'tray' | 'browser' | 'game' | 'client'

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly place: Place
  readonly text: string
}

export interface WalkReport {
  readonly title: string
  readonly rows: readonly Row[]
  /** Of the first minute, in any order. */
  readonly moments: readonly Moment[]
}

const MS_PER_S = 1000
const LONGEST = 300

export const secondsText = (ms: number): string => (ms / MS_PER_S).toFixed(1)

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', '<br>')

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')

/** What the same program prints many times is one line. */
function transcript(moments: readonly Moment[]): string {
  const sorted = moments.toSorted((one, other) => one.at - other.at)
  const [start] = sorted
  const rows = sorted.map(({ at, place, text }) => [secondsText(at - (start?.at ?? 0)), place, text.slice(0, LONGEST)])
  return table(['Seconds', 'Where', 'What'], rows)
}

export function reportText({ title, rows, moments }: WalkReport): string {
  const wrong = rows.flatMap(({ step, wrong: sentences }) => sentences.map((sentence) => `- ${step}: ${sentence}`))
  return [
    `## ${title}`,
    table(
      ['Step', 'The game saw', 'The client saw', 'Sockets', 'Seconds'],
      rows.map(({ step, game, client, sockets, seconds, wrong: { length } }) => [
        length === 0 ? step : `${step} (wrong)`,
        game,
        client,
        sockets,
        seconds,
      ]),
    ),
    wrong.length === 0 ? 'All as it should be.' : `Wrong:\n\n${wrong.join('\n')}`,
    ...(moments.length === 0 ? [] : ['### The first minute', transcript(moments)]),
  ].join('\n\n')
}
