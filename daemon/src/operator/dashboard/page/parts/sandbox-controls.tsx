/** The controls of the sandbox: events of each kind, faults, limits, and all else that its own page has. */
import { useEffect, useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'
import type { SandboxAnswer, SandboxChoices } from '@sallyport/core/dashboard-messages'
import { CodeLines } from './text.tsx'

const INDENT = 2
const BODY_ROWS = 3
const EVENTS = '/sandbox/events'
const HTTP_ERROR = 400

type Send = (method: string, path: string, body: string) => void

function EventForm({ events, onSend }: { readonly events: readonly string[]; readonly onSend: Send }) {
  const { applications } = useDashboard()
  const [event, setEvent] = useState('')
  const [application, setApplication] = useState('')
  const chosen = application === '' ? (applications[0]?.id ?? '') : application
  const send = (): void => onSend('POST', EVENTS, JSON.stringify({ application_id: chosen, ...(event === '' ? {} : { event }) }))
  return (
    <div class="tools">
      <label>
        Event{' '}
        <select value={event} onChange={({ currentTarget: { value } }) => setEvent(value)}>
          <option value="">One of each kind</option>
          {events.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label>
        For application{' '}
        <input
          value={chosen}
          list="sandbox-applications"
          autoComplete="off"
          onInput={({ currentTarget: { value } }) => setApplication(value.trim())}
        />
        <datalist id="sandbox-applications">
          {applications.map(({ id }) => (
            <option key={id} value={id} />
          ))}
        </datalist>
      </label>
      <button type="button" disabled={chosen === ''} onClick={send}>
        Send event
      </button>
    </div>
  )
}

function AnyControl({ rows, onSend }: { readonly rows: SandboxChoices['rows']; readonly onSend: Send }) {
  const [at, setAt] = useState(rows.findIndex(({ path }) => path === '/sandbox/faults'))
  const row = rows[at]
  const [body, setBody] = useState(JSON.stringify(row?.body))
  const choose = (index: number): void => {
    setAt(index)
    setBody(JSON.stringify(rows[index]?.body))
  }
  if (row === undefined) return null
  return (
    <div class="call-form">
      <label class="field">
        Control
        <select value={at} onChange={({ currentTarget: { value } }) => choose(Number(value))}>
          {rows.map(({ method, path, does }, index) => (
            <option key={`${method} ${path}`} value={index}>
              {method} {path}: {does}
            </option>
          ))}
        </select>
      </label>
      {row.body !== undefined && (
        <label class="field">
          Body
          <textarea rows={BODY_ROWS} spellcheck={false} value={body} onInput={({ currentTarget: { value } }) => setBody(value)} />
        </label>
      )}
      <p>
        <button type="button" onClick={() => onSend(row.method, row.path, row.body === undefined ? '' : body)}>
          Send to the sandbox
        </button>
      </p>
    </div>
  )
}

function AllControls() {
  const { api } = useDashboard()
  const [controls, setControls] = useState<SandboxChoices>()
  const [answer, setAnswer] = useState<SandboxAnswer | 'none'>()
  useEffect(() => void api.sandbox().then(setControls), [api])
  const send: Send = (method, path, body) => void api.control(method, path, body).then((found) => setAnswer(found ?? 'none'))
  if (controls === undefined) return null
  return (
    <>
      <EventForm events={controls.events} onSend={send} />
      <AnyControl rows={controls.rows} onSend={send} />
      <div role="status" class="sandbox-answer">
        {answer === 'none' && <p class="problem">Sallyport does not answer.</p>}
        {typeof answer === 'object' && (
          <>
            <p class={answer.status < HTTP_ERROR ? 'hint' : 'problem'}>The sandbox answered {answer.status}.</p>
            {answer.answer !== null && (
              <pre tabIndex={0}>
                <CodeLines text={JSON.stringify(answer.answer, undefined, INDENT)} />
              </pre>
            )}
          </>
        )}
      </div>
    </>
  )
}

/** Loads the list when it is first opened. */
export function SandboxControls() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Sandbox</summary>
      {isOpen && <AllControls />}
    </details>
  )
}
