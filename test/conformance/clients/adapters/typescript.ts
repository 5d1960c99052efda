/** The adapter of the TypeScript client. */
import {
  CallError,
  CallTimeoutError,
  type Clock,
  type ConnectionState,
  ConnectionLostError,
  SallyportClient,
  ServerClosedError,
  type Subscription,
} from '@sallyport/client'
import type { EventName } from '@sallyport/protocol'
import type { Failure } from '../adapter.ts'
import { emit, obey, report, type Request } from './lines.ts'

/** The clock of the system, and what the kit has added. */
class AdvancedClock implements Clock {
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

const clock = new AdvancedClock()
const subscriptions = new Map<string, Subscription>()
let client: SallyportClient | undefined
let isClosed = false

function failureOf(error: unknown): Failure {
  if (error instanceof CallError) {
    const seconds = error.data['retry_after']
    const wait = typeof seconds === 'number' ? { retry_after_ms: seconds * 1000 } : {}
    return { kind: 'refused', code: error.code, message: error.message, ...wait }
  }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof CallTimeoutError) return { kind: 'timeout', message }
  if (!(error instanceof ConnectionLostError)) return { kind: 'not-sent', message }
  return { kind: isClosed ? 'closed' : 'lost', message }
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

const made = (): SallyportClient => {
  client ??= new SallyportClient({ applicationId: '0', environment: { clock } })
  return client
}

function connect(request: Request): void {
  const { application_id: applicationId, timeout_ms: timeoutMs = 600_000, encoding, runtime_dir: runtimeDir } = request
  client = new SallyportClient({
    applicationId,
    environment: { clock },
    ...(encoding === undefined ? {} : { encoding }),
    ...(runtimeDir === undefined ? {} : { runtimeDir }),
  })
  client.onState(showState)
  client.connect({ timeoutMs }).catch(() => {})
}

obey({
  connect,
  call: ({ id, command, args, timeout_ms: timeoutMs }) =>
    report(id, made().request(command, args, timeoutMs === undefined ? {} : { timeoutMs }), failureOf),
  activity: ({ id, activity }) => report(id, activity === null ? made().clearActivity() : made().setActivity(activity), failureOf),
  sign_in: ({ id, scopes }) => report(id, made().signIn({ scopes }), failureOf),
  sign_in_silently: ({ id }) => report(id, made().signInSilently(), failureOf),
  subscribe({ name, args = {} }) {
    subscriptions.set(name, made().on(name as EventName, args, (data) => emit({ event: 'dispatch', name, data })))
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
