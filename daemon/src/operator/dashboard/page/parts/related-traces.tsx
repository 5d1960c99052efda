/** Below the details of a call or event: what belongs to it, and the button that keeps it. */
import { useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'
import { MOST_KEPT, keyOf, type TraceRow } from '../trace-list.ts'
import { relatedTo } from '../trace-pairs.ts'
import { Code } from './text.tsx'
import { TraceDetails } from './trace-details.tsx'

function RelatedTrace({ row: { id, at, name, trace } }: { readonly row: TraceRow }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time> {name} <Code text={id} />
      </summary>
      {isOpen && <TraceDetails trace={trace} />}
    </details>
  )
}

/** `rows`: all of them, oldest first. */
export const RelatedTraces = ({ row, rows }: { readonly row: TraceRow; readonly rows: readonly TraceRow[] }) => (
  <>
    {relatedTo(row, rows).map(({ title, rows: found }) => (
      <div key={title} class="related">
        <h3>{title}</h3>
        {found.map((one) => (
          <RelatedTrace key={keyOf(one)} row={one} />
        ))}
      </div>
    ))}
  </>
)

export function KeepButton({ row, onKeep }: { readonly row: TraceRow; readonly onKeep: () => void }) {
  const { traces } = useDashboard()
  const isKept = traces.isKept(row)
  const press = (): void => {
    traces.keep(row, !isKept)
    onKeep()
  }
  return (
    <>
      <button type="button" aria-pressed={isKept} disabled={!isKept && !traces.canKeepMore} onClick={press}>
        Keep
      </button>
      <span class="soft">
        {traces.canKeepMore || isKept ? 'What you keep stays when the table is cleared or full.' : `You keep ${MOST_KEPT} already.`}
      </span>
    </>
  )
}
