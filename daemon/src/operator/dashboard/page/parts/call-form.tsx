/** The form that makes any call: as the operator's own program, with every check of the bridge. The answer appears as a row of its own. */
import type { FormCallEnd } from '@sallyport/core/dashboard-messages'
import type { CallTrace } from '@sallyport/protocol'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { argumentsOf, type ArgumentField, fieldsOf, type FormProtocol, type ProtocolRow, refill } from '../argument-fields.ts'
import { useDashboard } from '../context.ts'
import { FieldInput } from './field-input.tsx'

/** What a form begins with: the call of a row. */
export interface Draft {
  readonly command: string
  readonly event: string
  readonly application: string
  readonly args: unknown
}

/** The form of a call that was made; undefined for one whose message was not kept. */
export function draftOf({ cmd, application_id: application = '', request }: CallTrace): Draft | undefined {
  if (typeof request !== 'object' || request === null) return undefined
  const { evt, args } = request as { readonly evt?: unknown; readonly args?: unknown }
  return { command: cmd, event: typeof evt === 'string' ? evt : '', application, args }
}

const SUBSCRIPTIONS: ReadonlySet<string> = new Set(['SUBSCRIBE', 'UNSUBSCRIBE'])
const NO_FIELDS: readonly ArgumentField[] = []

const rowNamed = (rows: readonly ProtocolRow[], name: string): ProtocolRow | undefined => rows.find((row) => row.name === name)

/** The arguments of a subscription are those of its event. */
function fieldsIn(protocol: FormProtocol, command: string, event: string): readonly ArgumentField[] {
  const row = SUBSCRIPTIONS.has(command) ? rowNamed(protocol.events, event) : rowNamed(protocol.commands, command)
  return row === undefined ? NO_FIELDS : fieldsOf(row.args, protocol.$defs)
}

interface Filled {
  readonly command: string
  readonly event: string
  readonly application: string
  readonly typed: ReadonlyMap<string, string>
  /** Arguments whose values the record does not have. */
  readonly masked: readonly string[]
}

const EMPTY: Filled = { command: '', event: '', application: '', typed: new Map(), masked: [] }

function filledBy({ command, event, application, args }: Draft, protocol: FormProtocol): Filled {
  return { command, event, application, ...refill(args, fieldsIn(protocol, command, event)) }
}

interface NameInputProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly rows: readonly { readonly name: string }[]
  readonly onChange: (value: string) => void
}

function NameInput({ id, label, value, rows, onChange }: NameInputProps) {
  return (
    <label class="field">
      {label}
      <input value={value} list={id} autoComplete="off" spellcheck={false} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      <datalist id={id}>
        {rows.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}

const needs = (scopes: ProtocolRow['scopes']): string => {
  const sets = scopes.filter((set) => set.length > 0).map((set) => set.join(' and '))
  return sets.length === 0 || sets.length < scopes.length ? '' : ` It needs ${sets.join(', or ')}.`
}

function End({ end }: { readonly end: FormCallEnd | undefined }) {
  const { id, problem, not_signed_in: notSignedIn } = end ?? {}
  return (
    <div role="status">
      {end !== undefined && problem === undefined && end.confirm === undefined && <p class="hint">The call succeeded: {id}.</p>}
      {problem !== undefined && <p class="problem">{problem}</p>}
      {notSignedIn !== undefined && <p class="hint">This program is not signed in: {notSignedIn}</p>}
    </div>
  )
}

interface CallFormProps {
  readonly draft: Draft | undefined
  /** The call got its response; undefined: nothing is known of it. */
  readonly onAnswered: (id: string | undefined) => void
}

function Form({ protocol, draft, onAnswered }: CallFormProps & { readonly protocol: FormProtocol }) {
  const { api, isLive, applications } = useDashboard()
  const [filled, setFilled] = useState(EMPTY)
  const [isChecked, setChecked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [end, setEnd] = useState<FormCallEnd>()
  const [confirmed, setConfirmed] = useState('')
  const send = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (draft === undefined) return
    setFilled(filledBy(draft, protocol))
    setEnd(undefined)
    setChecked(false)
    send.current?.focus()
  }, [draft, protocol])
  const { command, event, application, typed, masked } = filled
  const fields = useMemo(() => fieldsIn(protocol, command, event), [protocol, command, event])
  const { args, problems } = argumentsOf(fields, typed)
  const row = rowNamed(protocol.commands, command)
  const isSubscription = SUBSCRIPTIONS.has(command)
  const change = (more: Partial<Filled>): void => {
    setFilled({ ...filled, ...more })
    setEnd(undefined)
  }
  const submit = async (): Promise<void> => {
    setChecked(true)
    if (row === undefined || problems.size > 0) return
    setBusy(true)
    const answer = await api.call({
      command,
      args,
      ...(isSubscription ? { event } : {}),
      ...(application === '' ? {} : { application }),
      ...(confirmed === '' ? {} : { confirmed: confirmed.trim() }),
    })
    setBusy(false)
    setEnd(answer)
    if (answer.confirm !== undefined) return
    setConfirmed('')
    setChecked(false)
    onAnswered(answer.id)
  }
  return (
    <form
      class="call-form"
      autoComplete="off"
      noValidate
      onSubmit={(submitted) => {
        submitted.preventDefault()
        void submit()
      }}
    >
      <NameInput
        id="known-commands"
        label="Command"
        value={command}
        rows={protocol.commands}
        onChange={(name) => change({ command: name.trim().toUpperCase(), typed: new Map(), masked: [] })}
      />
      {isChecked && row === undefined && <p class="problem">There is no command of this name.</p>}
      {row !== undefined && (
        <p class="soft">
          {row.summary}
          {needs(row.scopes)}
        </p>
      )}
      {isSubscription && (
        <NameInput
          id="known-events"
          label="Event"
          value={event}
          rows={protocol.events}
          onChange={(name) => change({ event: name.trim().toUpperCase(), typed: new Map(), masked: [] })}
        />
      )}
      <NameInput
        id="known-applications"
        label="Application (empty: that of the settings)"
        value={application}
        rows={applications.map(({ id }) => ({ name: id }))}
        onChange={(id) => change({ application: id.trim() })}
      />
      {fields.map((field) => (
        <FieldInput
          key={`${command} ${event} ${field.name}`}
          field={field}
          text={typed.get(field.name) ?? ''}
          problem={isChecked || (typed.get(field.name) ?? '') !== '' ? problems.get(field.name) : undefined}
          onInput={(text) => change({ typed: new Map([...typed, [field.name, text]]) })}
        />
      ))}
      {masked.length > 0 && <p class="hint">The record does not have these values, so they are left out: {masked.join(', ')}.</p>}
      {end?.confirm !== undefined && (
        <label class="field">
          <span>{end.confirm} Type the name of the command to continue.</span>
          <input
            value={confirmed}
            autoComplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setConfirmed(currentTarget.value)}
          />
        </label>
      )}
      <p class="tools">
        <button ref={send} type="submit" class="yes" disabled={!isLive || isBusy}>
          {isBusy ? 'Waiting…' : 'Send'}
        </button>
        <span class="soft">Sent as Sallyport itself, with its own grant. Answer its question above, if it asks.</span>
      </p>
      <End end={end} />
    </form>
  )
}

/** Loads what the form is made of when it is first opened. */
export function CallForm({ draft, onAnswered }: CallFormProps) {
  const { api } = useDashboard()
  const [isOpen, setOpen] = useState(false)
  /** `none`: it could not be read. */
  const [protocol, setProtocol] = useState<FormProtocol | 'none'>()
  useEffect(() => {
    if (draft !== undefined) setOpen(true)
  }, [draft])
  useEffect(() => {
    if (isOpen && typeof protocol !== 'object') void api.protocol().then((found) => setProtocol(found ?? 'none'))
  }, [isOpen, api])
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Make a call</summary>
      {isOpen && protocol === 'none' && <p class="problem">Sallyport does not answer. Close and open this again.</p>}
      {isOpen && typeof protocol === 'object' && <Form protocol={protocol} draft={draft} onAnswered={onAnswered} />}
    </details>
  )
}
