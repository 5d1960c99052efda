/** What the adapter of the TypeScript client does, in the environment that it gets. */
import {
  CallError,
  CallTimeoutError,
  type Clock,
  ConnectionLostError,
  type ConnectionState,
  type Environment,
  NotSentError,
  SallyportClient,
  ServerClosedError,
  type Subscription,
} from '@sallyport/client'
import type { EventName } from '@sallyport/protocol'
import type { Failure } from '../adapter.ts'
import { emit, obey, report, type Request } from './lines.ts'

/** The clock of the system, and what the kit has added. */
export class AdvancedClock implements Clock {
  readonly #timers = new Set<{ readonly dueMs: number; run(): void; timer: NodeJS.Timeout | undefined }>()
  #addedMs = 0

  now(): number {
    return performance.now() + this.#addedMs
  }

  after(delayMs: number, task: () => void): () => void {
    const entry = {
      dueMs: this.now() + delayMs,
      timer: undefined as NodeJS.Timeout | undefined,
      run: () => {
        this.#timers.delete(entry)
        task()
      },
    }
    this.#timers.add(entry)
    entry.timer = setTimeout(entry.run, delayMs)
    return () => {
      clearTimeout(entry.timer)
      this.#timers.delete(entry)
    }
  }

  advance(ms: number): void {
    this.#addedMs += ms
    for (const entry of this.#timers) {
      clearTimeout(entry.timer)
      entry.timer = setTimeout(entry.run, Math.max(0, entry.dueMs - this.now()))
    }
  }
}

/** The kit ends a step that takes longer. */
const SEARCH_MS = 600_000

function failureOf(error: unknown, isClosed: boolean): Failure {
  if (error instanceof CallError) {
    const wait = error.retryAfterMs === undefined ? {} : { retry_after_ms: error.retryAfterMs }
    return { kind: 'refused', code: error.code, message: error.message, ...wait }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CallTimeoutError) return { kind: 'timeout', message }
  if (!(error instanceof ConnectionLostError)) return { kind: 'not-sent', message }
  if (isClosed) return { kind: 'closed', message }
  return { kind: error instanceof NotSentError ? 'not-sent' : 'lost', message }
}

function showState(state: ConnectionState): void {
  const error = 'error' in state ? state.error : undefined
  emit({
    event: 'state',
    name: state.name,
    ...(error === undefined ? {} : { message: error.message }),
    ...(error instanceof ServerClosedError ? { close_code: error.closeCode } : {}),
  })
}

/** Obeys the kit with a client in this environment. */
export function playTypeScript(clock: AdvancedClock, more: Partial<Environment> = {}): void {
  const environment = { clock, ...more }
  const subscriptions = new Map<string, Subscription>()
  let client: SallyportClient | undefined
  let isClosed = false

  const made = (): SallyportClient => (client ??= new SallyportClient({ applicationId: '0', environment }))
  const reported = ({ id }: Request, call: Promise<unknown>): void => report(id, call, (error) => failureOf(error, isClosed))

  async function shown({ activity }: Request): Promise<unknown> {
    const isReady = made().state.name === 'ready'
    const result = await (activity === null ? made().clearActivity() : made().setActivity(activity))
    if (!isReady) throw new NotSentError('the presence is kept, and shown later')
    return result
  }

  obey({
    connect({ application_id: applicationId, timeout_ms: timeoutMs = SEARCH_MS, encoding, ...where }) {
      const { runtime_dir: runtimeDir, allow_packaged_client: allowPackagedClient = false } = where
      client = new SallyportClient({
        applicationId,
        environment,
        allowPackagedClient,
        ...(encoding === undefined ? {} : { encoding }),
        ...(runtimeDir === undefined ? {} : { runtimeDir }),
      })
      client.onState(showState)
      client.onPresence(({ activity, error }) =>
        emit({ event: 'presence', ...(error === undefined ? { data: activity } : { error: failureOf(error, isClosed) }) }),
      )
      client.connect({ timeoutMs }).catch(() => {})
    },
    call: (request) =>
      reported(
        request,
        made().request(request.command, request.args, {
          ...(request.timeout_ms === undefined ? {} : { timeoutMs: request.timeout_ms }),
          ...(request.key === undefined ? {} : { key: request.key }),
        }),
      ),
    activity: (request) => reported(request, shown(request)),
    sign_in: (request) => reported(request, made().askToSignIn({ scopes: request.scopes })),
    sign_in_if_needed: (request) => reported(request, made().signIn({ scopes: request.scopes })),
    sign_out: (request) => reported(request, made().signOut()),
    sign_in_silently: (request) => reported(request, made().signInSilently()),
    subscribe({ name, args = {} }) {
      subscriptions.set(
        name,
        made().on(name as EventName, args, (data) => emit({ event: 'dispatch', name, data })),
      )
    },
    unsubscribe: ({ name }) => subscriptions.get(name)?.close(),
    advance: ({ ms }) => clock.advance(ms),
    close() {
      isClosed = true
      void made()
        .close()
        .then(() => emit({ event: 'closed' }))
    },
  })
}
