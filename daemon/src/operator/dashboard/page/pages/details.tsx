/** Facts about the daemon, for a user who wants to know, or who helps another. */
import type { BridgeState } from '@sallyport/protocol'
import { Heading } from '../parts/heading.tsx'
import { Code, ExternalLink, Name } from '../parts/text.tsx'
import { clockText, PLATFORMS, PROVIDER_STATES, PROVIDERS, socketText } from '../words.ts'

const SECOND_MS = 1000

export function DetailsPage({ state }: { readonly state: BridgeState }) {
  const {
    platform,
    ipc,
    websocket,
    websocket_problem: webProblem,
    sandbox_origin: sandbox,
    presence_feed: feed,
    providers,
    peers,
    counters,
  } = state
  return (
    <>
      <section id="facts" aria-labelledby="facts-title">
        <Heading id="facts-title" text="This Sallyport" />
        <dl class="card">
          <dt>Version</dt>
          <dd>{state.version}</dd>
          <dt>Platform</dt>
          <dd>
            <Name text={PLATFORMS[platform] ?? platform} />
          </dd>
          {sandbox !== undefined && (
            <>
              <dt>Pages of the sandbox</dt>
              <dd>
                <ExternalLink url={sandbox} text={sandbox} />
              </dd>
            </>
          )}
          <dt>Has run for</dt>
          <dd>{clockText(state.uptime_s * SECOND_MS)}</dd>
          {ipc.map((address) => (
            <>
              <dt>Games connect to</dt>
              <dd>
                <Code text={socketText(address)} />
              </dd>
            </>
          ))}
          {websocket !== undefined && (
            <>
              <dt>Games in browsers connect to</dt>
              <dd>
                <Code text={websocket} />
              </dd>
            </>
          )}
          {webProblem !== undefined && (
            <>
              <dt>Games in browsers</dt>
              <dd>{webProblem}</dd>
            </>
          )}
          {feed !== undefined && (
            <>
              <dt>Web pages read activities at</dt>
              <dd>
                {feed.address === undefined ? 'nowhere' : <Code text={feed.address} />}
                {feed.reason === undefined ? '' : ` ${feed.reason}`} {feed.pages} connected
              </dd>
            </>
          )}
          {peers.reason !== undefined && (
            <>
              <dt>Programs</dt>
              <dd>{peers.reason}</dd>
            </>
          )}
        </dl>
      </section>
      <section id="providers" aria-labelledby="providers-title">
        <Heading id="providers-title" text="What brings events and shows activities" />
        <dl class="card">
          {providers.map(({ name, state: health, reason }) => (
            <>
              <dt>
                <Name text={PROVIDERS[name] ?? name} />
              </dt>
              <dd>
                <span class={`health ${health}`}>{PROVIDER_STATES[health]}</span> <Code text={name} />
                {reason === undefined ? '' : <p class="soft">{reason}</p>}
              </dd>
            </>
          ))}
        </dl>
      </section>
      <section id="counters" aria-labelledby="counters-title">
        <Heading id="counters-title" text="Counted since the start" />
        <dl class="card">
          {Object.entries(counters).map(([name, count]) => (
            <>
              <dt>{name.replaceAll('_', ' ')}</dt>
              <dd>{String(count)}</dd>
            </>
          ))}
        </dl>
      </section>
    </>
  )
}
