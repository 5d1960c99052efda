/** The calls of games and the events to them, live: a table that can be filtered, paused and cleared, and what is known of each. */
import { useEffect, useState } from 'preact/hooks'
import { useApplication, useDashboard } from '../context.ts'
import { Heading } from '../parts/heading.tsx'
import { Code } from '../parts/text.tsx'
import { TraceDetails } from '../parts/trace-details.tsx'
import { applicationsOf, matching, MOST_ROWS, type TraceFilter, type TraceList, type TraceResult, type TraceRow } from '../trace-list.ts'

/** Rows in the table; the filter finds older ones. */
const MOST_SHOWN = 200
const RETRY_MS = 1000

const RESULTS: Readonly<Record<TraceResult, string>> = { success: 'Calls that succeeded', error: 'Calls that failed', event: 'Events' }
const isResult = (text: string): text is TraceResult => Object.hasOwn(RESULTS, text)
const ALL: TraceFilter = { text: '', application: undefined, result: undefined }

/** Follows the daemon while the page is shown, and draws after each batch. */
function useTraces(list: TraceList): readonly TraceRow[] {
  const { api, isLive } = useDashboard()
  const [rows, setRows] = useState(list.rows)
  useEffect(() => {
    const left = new AbortController()
    const follow = async (): Promise<void> => {
      while (!left.signal.aborted) {
        await api.followTraces((batch) => {
          list.add(batch)
          setRows(list.rows)
        }, left.signal)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    if (isLive) void follow()
    return () => left.abort()
  }, [isLive, list])
  return rows
}

const Application = ({ id }: { readonly id: string }) => <>{useApplication(id).name}</>

function Row({ row, isOpen, onToggle }: { readonly row: TraceRow; readonly isOpen: boolean; readonly onToggle: () => void }) {
  const { id, at, name, applications, result, ms, trace } = row
  return (
    <>
      <tr class={result}>
        <td>
          <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
        </td>
        <td>
          <button type="button" class="name" aria-expanded={isOpen} onClick={onToggle}>
            {name}
          </button>
        </td>
        <td>
          {applications.map((application) => (
            <Application key={application} id={application} />
          ))}
        </td>
        <td>{'call' in trace && trace.call.error !== undefined ? `error ${trace.call.error.code}` : result}</td>
        <td class="number">{ms === undefined ? '' : `${ms.toFixed(1)} ms`}</td>
        <td>
          <Code text={id} />
        </td>
      </tr>
      {isOpen && (
        <tr class="opened">
          <td colSpan={6}>
            <TraceDetails trace={trace} />
          </td>
        </tr>
      )}
    </>
  )
}

function Filters({
  rows,
  filter,
  onFilter,
}: {
  readonly rows: readonly TraceRow[]
  readonly filter: TraceFilter
  readonly onFilter: (filter: TraceFilter) => void
}) {
  const { text, application, result } = filter
  return (
    <>
      <label>
        Find{' '}
        <input
          type="search"
          value={text}
          placeholder="words"
          onInput={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
        />
      </label>
      <label>
        Game{' '}
        <select
          value={application ?? ''}
          onChange={({ currentTarget: { value } }) => onFilter({ ...filter, application: value === '' ? undefined : value })}
        >
          <option value="">All</option>
          {applicationsOf(rows).map((id) => (
            <option key={id} value={id}>
              <Application id={id} />
            </option>
          ))}
        </select>
      </label>
      <label>
        Show{' '}
        <select
          value={result ?? ''}
          onChange={({ currentTarget: { value } }) => onFilter({ ...filter, result: isResult(value) ? value : undefined })}
        >
          <option value="">Calls and events</option>
          {Object.entries(RESULTS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

export function CallsPage() {
  const { traces: list } = useDashboard()
  const current = useTraces(list)
  const [paused, setPaused] = useState<readonly TraceRow[]>()
  const [filter, setFilter] = useState(ALL)
  const [open, setOpen] = useState<string>()
  const [, setCleared] = useState(0)
  const rows = paused ?? (list.rows.length === 0 ? list.rows : current)
  const found = matching(rows, filter)
  const shown = found.slice(0, MOST_SHOWN)
  const clear = (): void => {
    list.clear()
    setPaused(undefined)
    setCleared((count) => count + 1)
  }
  return (
    <section id="calls" aria-labelledby="calls-title">
      <Heading id="calls-title" text="Calls and events, newest first" />
      <div class="tools">
        <Filters rows={rows} filter={filter} onFilter={setFilter} />
        <button type="button" aria-pressed={paused !== undefined} onClick={() => setPaused(paused === undefined ? rows : undefined)}>
          {paused === undefined ? 'Pause' : 'Go on'}
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
      </div>
      <p class="soft" role="status">
        {rows.length === 0
          ? 'Nothing has come yet. Calls are shown as games make them, while this page is open.'
          : `${found.length} of ${rows.length}${found.length > MOST_SHOWN ? `, of which the newest ${MOST_SHOWN} are shown` : ''}. The page keeps the last ${MOST_ROWS}.`}
        {list.leftOut > 0 && ` ${list.leftOut} more came too fast, and are not here.`}
      </p>
      {shown.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Calls and events">
          <table class="calls">
            <thead>
              <tr>
                {['Time', 'Name', 'Game', 'Result', 'Duration', 'Id'].map((title) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => {
                const key = `${row.at} ${row.id}`
                return <Row key={key} row={row} isOpen={open === key} onToggle={() => setOpen(open === key ? undefined : key)} />
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
