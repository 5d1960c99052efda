/** The frame of the dashboard: head, navigation, what waits for the user, and one page. */
import type { BridgeState } from '@sallyport/protocol'
import type { ComponentType } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { DashboardProvider } from './context.ts'
import type { DaemonApi } from './daemon-api.ts'
import type { FigureHistory } from './figure-history.ts'
import { AccountsPage } from './pages/accounts.tsx'
import { CallsPage } from './pages/calls.tsx'
import { DetailsPage } from './pages/details.tsx'
import { LogPage } from './pages/log.tsx'
import { NowPage } from './pages/now.tsx'
import { ProgramsPage } from './pages/programs.tsx'
import { Questions } from './parts/questions.tsx'
import { addressOf, type PageName, PAGES } from './routes.ts'
import type { Store, View } from './store.ts'
import type { TraceList } from './trace-list.ts'
import { timeText } from './words.ts'

const CONTENTS: Readonly<Record<PageName, ComponentType<{ readonly state: BridgeState }>>> = {
  now: NowPage,
  programs: ProgramsPage,
  accounts: AccountsPage,
  calls: CallsPage,
  log: LogPage,
  details: DetailsPage,
}

const ALL_PAGES = Object.entries(PAGES) as [PageName, string][]

/** In the title of the tab, so that it is seen from another tab. */
function titleOf({ link, state, page }: View): string {
  if (link.kind === 'lost' || link.kind === 'closed') return 'Not connected - Sallyport'
  const count = state?.prompts.length ?? 0
  return `${count > 0 ? `(${count}) ` : ''}${PAGES[page]} - Sallyport`
}

const STATUS = { connecting: 'connecting…', live: 'live', lost: 'not connected', closed: 'not connected' } as const

const Closed = () => (
  <section class="card closed" role="alert">
    <h2>This tab is not connected to Sallyport</h2>
    <p>For your safety, an address of this page works once, and only in the tab that opened it.</p>
    <p>
      Open the page again: click the icon of Sallyport beside the clock and choose <b>Open dashboard</b>. In a terminal,{' '}
      <code>sallyport open</code> does the same.
    </p>
  </section>
)

const Lost = ({ problem, seenAt }: { readonly problem: string; readonly seenAt: number }) => (
  <div class="problem lost" role="alert">
    <b>{problem}</b> {seenAt > 0 ? `Below is what was true at ${timeText(seenAt)}. Nothing can be changed now.` : ''} This page connects
    again by itself.
  </div>
)

interface AppProps {
  readonly view: View
  readonly store: Store
  readonly api: DaemonApi
  readonly traces: TraceList
  readonly figures: FigureHistory
}

export function App({ view, store, api, traces, figures }: AppProps) {
  const { link, state, page, error, seenAt, now } = view
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  const title = titleOf(view)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    // Who turned the page hears the new one next.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [page])
  const Content = CONTENTS[page]
  const isLive = link.kind === 'live'
  return (
    <DashboardProvider
      value={{
        api,
        act: (path, details) => store.act(path, details),
        isLive,
        now,
        seenAt,
        applications: state?.applications ?? [],
        places: state?.places ?? [],
        traces,
        figures,
      }}
    >
      <div class={isLive ? 'frame' : 'frame stale'}>
        <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
          Skip to the content
        </a>
        <header class="top">
          <h1>Sallyport</h1>
          <span id="status" class={`status ${link.kind}`} role="status">
            {STATUS[link.kind]}
          </span>
          <nav aria-label="Pages">
            <ul>
              {ALL_PAGES.map(([name, text]) => (
                <li key={name}>
                  <a href={addressOf(name)} aria-current={name === page ? 'page' : undefined}>
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          {link.kind === 'lost' && <Lost problem={link.problem} seenAt={seenAt} />}
          {link.kind === 'closed' && <Closed />}
          <div role="alert">{error !== undefined && <p class="problem">{error}</p>}</div>
          {state !== undefined && link.kind !== 'closed' && (
            <div class="content">
              <Questions state={state} />
              <Content state={state} />
            </div>
          )}
        </main>
      </div>
    </DashboardProvider>
  )
}
