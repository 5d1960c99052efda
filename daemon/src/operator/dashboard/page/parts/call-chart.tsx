/** One call in time: from the message to the response, with its waits and its requests to the platform. */
import type { CallTrace } from '@sallyport/protocol'
import { stepsOf } from '../call-steps.ts'

const WIDTH = 600
const ROW = 26
const LABEL = 14
const BAR = 6
/** A step of no time is seen too. */
const LEAST = 2

export function CallChart({ call }: { readonly call: CallTrace }) {
  const steps = stepsOf(call)
  const all = Math.max(...steps.map(({ from, ms }) => from + ms), Number.EPSILON)
  const scale = WIDTH / all
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${WIDTH} ${steps.length * ROW}`}
      role="img"
      aria-label={steps.map(({ label, ms }) => `${label}, ${ms} ms`).join('; ')}
    >
      {steps.map(({ kind, label, from, ms }, index) => (
        <g key={index}>
          <text x={0} y={index * ROW + LABEL}>
            {label}, {ms} ms
          </text>
          <rect
            class={kind}
            x={Math.min(from * scale, WIDTH - LEAST)}
            y={index * ROW + LABEL + 3}
            width={Math.max(ms * scale, LEAST)}
            height={BAR}
          />
        </g>
      ))}
    </svg>
  )
}
