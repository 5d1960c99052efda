/** Lines over time. uPlot draws them; the label says the last values, because a canvas says nothing to a screen reader. */
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'

export interface Line {
  readonly name: string
  readonly unit: string
  /** One for each time. */
  readonly values: readonly (number | undefined)[]
}

interface LineChartProps {
  readonly title: string
  /** Seconds since the epoch. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
}

const HEIGHT = 140
const AXIS_WIDTH = 60
const FONT = '12px system-ui, sans-serif'

const shown = (value: number | undefined, unit: string): string =>
  value === undefined ? 'none' : `${value.toLocaleString(undefined, { maximumFractionDigits: value < 100 ? 1 : 0 })}${unit}`

/** The colours of the theme, as the element has them now. */
function coloursOf(element: Element): { readonly ink: string; readonly line: string; readonly lines: readonly string[] } {
  const { color: ink, borderTopColor: line } = getComputedStyle(element)
  const lines = [...element.querySelectorAll('.key > *')].map((one) => getComputedStyle(one).color)
  return { ink, line, lines }
}

function optionsFor(element: HTMLElement, lines: readonly Line[]): UPlot.Options {
  const axis = { font: FONT, stroke: () => coloursOf(element).ink, grid: { stroke: () => coloursOf(element).line, width: 1 } }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_chart, _least, most) => [0, Math.max(most * 1.1, 1)] } },
    series: [{}, ...lines.map((_line, at) => ({ width: 2, spanGaps: false, stroke: () => coloursOf(element).lines[at] ?? '' }))],
    axes: [axis, { ...axis, size: AXIS_WIDTH }],
  }
}

export function LineChart({ title, times, lines }: LineChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const chart = useRef<UPlot>(undefined)
  useEffect(() => {
    const { current } = element
    if (current === null) return
    chart.current = new UPlot(optionsFor(current, lines), [[]], current)
    const fit = new ResizeObserver(() => chart.current?.setSize({ width: current.clientWidth, height: HEIGHT }))
    fit.observe(current)
    return () => {
      fit.disconnect()
      chart.current?.destroy()
    }
    // The lines of a chart stay the same; their values follow.
  }, [])
  useEffect(() => {
    chart.current?.setData([[...times], ...lines.map(({ values }) => values.map((value) => value ?? null))])
  }, [times, lines])
  const last = lines.map(({ name, unit, values }) => `${name} ${shown(values.at(-1), unit)}`)
  return (
    <figure class="line-chart">
      <figcaption>
        <b>{title}</b>
      </figcaption>
      <div ref={element} role="img" aria-label={`${title}: ${last.join(', ')}`}>
        <p class="key">
          {last.map((text) => (
            <span key={text.split(' ')[0]}>{text} </span>
          ))}
        </p>
      </div>
    </figure>
  )
}
