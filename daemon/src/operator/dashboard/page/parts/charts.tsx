/** Charts of the last minutes: calls, events, durations, memory, and the rate limits of the platform. */
import { useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'
import { LineChart } from './line-chart.tsx'
import { Code } from './text.tsx'

function Buckets() {
  const { figures } = useDashboard()
  const { buckets } = figures
  return (
    <div>
      <b>Rate limits of the platform</b>
      {buckets.length === 0 ? (
        <p class="soft">None is in use.</p>
      ) : (
        <ul>
          {buckets.map(({ command, limit, free, waiting }) => (
            <li key={command}>
              <Code text={command} />: {free} of {limit} free{waiting > 0 && <b>, {waiting} calls wait</b>}{' '}
              <meter min={0} max={limit} value={limit - free} aria-label={`Used of the limit of ${command}`} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function AllCharts() {
  const { seconds } = useDashboard().figures
  const times = seconds.map(({ at }) => at)
  return (
    <div class="charts">
      <LineChart
        title="In a second"
        times={times}
        lines={[
          { name: 'calls', unit: '', values: seconds.map(({ calls }) => calls) },
          { name: 'events', unit: '', values: seconds.map(({ events }) => events) },
        ]}
      />
      <LineChart
        title="Duration of calls"
        times={times}
        lines={[
          { name: 'median', unit: ' ms', values: seconds.map(({ median }) => median) },
          { name: '99 %', unit: ' ms', values: seconds.map(({ p99 }) => p99) },
        ]}
      />
      <LineChart
        title="Memory of Sallyport"
        times={times}
        lines={[{ name: 'resident', unit: ' MiB', values: seconds.map(({ mebibytes }) => mebibytes) }]}
      />
      <Buckets />
    </div>
  )
}

export function Charts() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Charts</summary>
      {isOpen && <AllCharts />}
    </details>
  )
}
