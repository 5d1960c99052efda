/** The calls of games and the events to them, live: a table that can be filtered, paused and cleared, and what is known of each. */
import type { BridgeState } from '@sallyport/protocol'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { useApplication, useDashboard } from '../context.ts'
import { CallForm, type Draft, draftOf } from '../parts/call-form.tsx'
import { Charts } from '../parts/charts.tsx'
import { Heading } from '../parts/heading.tsx'
import { Code } from '../parts/text.tsx'
import { KeepButton, RelatedTraces } from '../parts/related-traces.tsx'
import { SandboxControls } from '../parts/sandbox-controls.tsx'
import { TraceDetails } from '../parts/trace-details.tsx'
import {
  applicationsOf,
  keyOf,
  matching,
  MOST_ROWS,
  type TraceFilter,
  type TraceList,
  type TraceResult,
  type TraceRow,
} from '../trace-list.ts'

/** Rows in the table; the filter finds older ones. */
const MOST_SHOWN = 200
const RETRY_MS = 1000
const PERCENT = 100
/** Between two drawings of the table while games call too often to read: they need the processor more. */
const SELDOM_MS = 500

const RESULTS: Readonly<Record<TraceResult, string>> = { success: 'Calls that succeeded', error: 'Calls that failed', event: 'Events' }
const isResult = (text: string): text is TraceResult => Object.hasOwn(RESULTS, text)
const KEPT = 'kept'
const ALL: ShownFilter = { text: '', application: undefined, result: undefined, onlyKept: false }

interface ShownFilter extends TraceFilter {
  readonly onlyKept: boolean
}

/** Follows the daemon while the page is shown, and draws after each batch. */
function useTraces(list: TraceList): readonly TraceRow[] {
  const { api, isLive, figures } = useDashboard()
  const [, setSeconds] = useState(figures.seconds)
  const [rows, setRows] = useState(list.rows)
  useEffect(() => {
    const left = new AbortController()
    let drawing: ReturnType<typeof setTimeout> | undefined
    const draw = (): void => {
      drawing = undefined
      setRows(list.rows)
    }
    const follow = async (): Promise<void> => {
      while (!left.signal.aborted) {
        await api.followTraces(
          {
            onTraces(batch) {
              list.add(batch)
              figures.addCalls(batch.calls)
              drawing ??= setTimeout(draw, figures.share < 1 ? SELDOM_MS : 0)
            },
            onFigures(now) {
              figures.add(now, Date.now())
              setSeconds(figures.seconds)
            },
          },
          left.signal,
        )
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
    if (isLive) void follow()
    return () => {
      left.abort()
      clearTimeout(drawing)
    }
  }, [isLive, list])
  return rows
}

const Application = ({ id }: { readonly id: string }) => <>{useApplication(id).name}</>

interface RowProps {
  readonly row: TraceRow
  /** All of them, oldest first. */
  readonly rows: readonly TraceRow[]
  readonly isOpen: boolean
  readonly onToggle: () => void
  /** The user keeps it, or no more. */
  readonly onKeep: () => void
  /** The user wants to make the call again. */
  readonly onRepeat: (draft: Draft) => void
}

function Row({ row, rows, isOpen, onToggle, onKeep, onRepeat }: RowProps) {
  const { id, at, name, applications, result, ms, trace } = row
  const draft = isOpen && 'call' in trace ? draftOf(trace.call) : undefined
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
            <RelatedTraces row={row} rows={rows} />
            <p class="tools">
              <KeepButton row={row} onKeep={onKeep} />
              {draft !== undefined && (
                <button type="button" onClick={() => onRepeat(draft)}>
                  Call again…
                </button>
              )}
            </p>
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
  readonly filter: ShownFilter
  readonly onFilter: (filter: ShownFilter) => void
}) {
  const { text, application, result, onlyKept } = filter
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
          value={onlyKept ? KEPT : (result ?? '')}
          onChange={({ currentTarget: { value } }) =>
            onFilter({ ...filter, result: isResult(value) ? value : undefined, onlyKept: value === KEPT })
          }
        >
          <option value="">Calls and events</option>
          {Object.entries(RESULTS).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
          <option value={KEPT}>What you keep</option>
        </select>
      </label>
    </>
  )
}

export function CallsPage({ state }: { readonly state: BridgeState }) {
  const { traces: list, figures } = useDashboard()
  const current = useTraces(list)
  const [paused, setPaused] = useState<readonly TraceRow[]>()
  const [filter, setFilter] = useState(ALL)
  const [open, setOpen] = useState<string>()
  const [, setChanged] = useState(0)
  const [draft, setDraft] = useState<Draft>()
  const [awaited, setAwaited] = useState<string>()
  const redraw = (): void => setChanged((count) => count + 1)
  const rows = paused ?? (current.length > list.rows.length ? list.rows : current)
  const found = matching(filter.onlyKept ? rows.filter((row) => list.isKept(row)) : rows, filter)
  const shown = found.slice(0, MOST_SHOWN)
  // The answer to a call of the form: shown and opened when it has come.
  const onAnswered = useCallback((id: string | undefined): void => {
    setPaused(undefined)
    setFilter(ALL)
    setAwaited(id)
  }, [])
  const answered = awaited === undefined ? undefined : list.rows.findLast(({ id }) => id === awaited)
  useEffect(() => {
    if (answered === undefined) return
    setOpen(keyOf(answered))
    setAwaited(undefined)
  }, [answered])
  const clear = (): void => {
    list.clear()
    setPaused(undefined)
    redraw()
  }
  return (
    <section id="calls" aria-labelledby="calls-title">
      <Heading id="calls-title" text="Calls and events, newest first" />
      <Charts />
      {state.sandbox_origin !== undefined && <SandboxControls />}
      <CallForm draft={draft} onAnswered={onAnswered} />
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
        {figures.share < 1 && ` Of so many calls Sallyport traces a share, now ${(figures.share * PERCENT).toFixed(1)} %.`}
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
                const key = keyOf(row)
                return (
                  <Row
                    key={key}
                    row={row}
                    rows={rows}
                    isOpen={open === key}
                    onToggle={() => setOpen(open === key ? undefined : key)}
                    onKeep={redraw}
                    onRepeat={setDraft}
                  />
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
