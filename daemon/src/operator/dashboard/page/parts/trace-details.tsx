/** What is known of one call or event. */
import { remedyOf } from '@sallyport/core/call-remedy'
import type { CallTrace, EventTrace } from '@sallyport/protocol'
import { useApplication } from '../context.ts'
import { CallChart } from './call-chart.tsx'
import { Code, CodeLines } from './text.tsx'

const INDENT = 2

const Json = ({ title, value }: { readonly title: string; readonly value: unknown }) => (
  <div>
    <h3>{title}</h3>
    <pre tabIndex={0}>
      <CodeLines text={value === undefined ? 'too large to keep' : JSON.stringify(value, undefined, INDENT)} />
    </pre>
  </div>
)

const Game = ({ id }: { readonly id: string }) => <>{useApplication(id).name}</>

const setsText = (sets: readonly (readonly string[])[]): string => sets.map((set) => set.join(' and ')).join(', or ') || 'none'

function CallDetails({ call }: { readonly call: CallTrace }) {
  const { id, application_id: application, pid, scopes, token, error, kept, request_bytes: asked, response_bytes: answered } = call
  const remedy = remedyOf(call)
  return (
    <div class="details">
      <dl class="facts">
        <dt>Call</dt>
        <dd>
          <Code text={id} />
        </dd>
        <dt>Game</dt>
        <dd>
          {application === undefined ? 'unknown' : <Game id={application} />}
          {pid === undefined ? '' : `, process ${pid}`}
        </dd>
        {scopes !== undefined && (
          <>
            <dt>Permissions</dt>
            <dd>
              needs {setsText(scopes.required)}
              {scopes.missing.length > 0 && <b>; missing: {scopes.missing.join(', ')}</b>}
            </dd>
          </>
        )}
        {token !== undefined && (
          <>
            <dt>Token</dt>
            <dd>
              {token.kind}: {token.reason}
            </dd>
          </>
        )}
        {error !== undefined && (
          <>
            <dt>Error {error.code}</dt>
            <dd>{error.message}</dd>
          </>
        )}
        {remedy !== undefined && (
          <>
            <dt>To do</dt>
            <dd>{remedy}</dd>
          </>
        )}
      </dl>
      {kept === 'failure' ? (
        <p class="hint">No page and no command watched this call, so only its failure was kept. Let the game repeat it.</p>
      ) : (
        <>
          <CallChart call={call} />
          <Json title={`Message, ${asked ?? 0} bytes`} value={call.request} />
          {error === undefined && <Json title={`Response, ${answered ?? 0} bytes`} value={call.response} />}
        </>
      )}
    </div>
  )
}

const REASONS: Readonly<Record<EventTrace['withheld'][number]['reason'], string>> = {
  copy: 'another origin had brought it',
  scopes: 'a permission is missing',
  unchanged: 'it has this value already',
}

function EventDetails({ event }: { readonly event: EventTrace }) {
  return (
    <div class="details">
      <dl class="facts">
        <dt>Event</dt>
        <dd>
          <Code text={event.id} />
        </dd>
        <dt>From</dt>
        <dd>
          <Code text={event.origin} />
        </dd>
        <dt>To</dt>
        <dd>{event.delivered === 0 ? 'no game' : `${event.delivered} connections`}</dd>
        {event.withheld.map(({ connection, application_id: application, reason }) => (
          <>
            <dt>Not to</dt>
            <dd>
              connection {connection}
              {application === undefined ? (
                ''
              ) : (
                <>
                  {' '}
                  of <Game id={application} />
                </>
              )}
              : {REASONS[reason]}
            </dd>
          </>
        ))}
      </dl>
      <Json title="Arguments" value={event.args} />
      <Json title="Data" value={event.data} />
    </div>
  )
}

export const TraceDetails = ({ trace }: { readonly trace: { readonly call: CallTrace } | { readonly event: EventTrace } }) =>
  'call' in trace ? <CallDetails call={trace.call} /> : <EventDetails event={trace.event} />
