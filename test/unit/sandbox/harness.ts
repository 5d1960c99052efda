/** A sandbox on loopback with a manual clock, and requests for tests. */
import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { dirname } from 'node:path'
import type { Logger } from '@sallyport/core/logger'
import { DataHealth } from '@sallyport/core/storage/data-health'
import { silentLogger } from '#test/support/silent-logger.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { recordAnswersOf } from '#test/conformance/answers/record.mjs'
import { holdSandboxPort } from '@sallyport/sandbox/addresses'
import { type Sandbox, type SandboxOptions, startSandbox } from '@sallyport/sandbox/sandbox'

export const APPLICATION = '123456789012345678'
export const OTHER_APPLICATION = '223456789012345678'
export const REDIRECT = 'http://127.0.0.1:5173/callback'
/** After every dated change of the platform. */
export const START = Date.UTC(2026, 11, 1)

export class ManualClock extends FakeClock {
  constructor(now = START) {
    super(now)
  }
}

/** A logger that records its lines for tests. */
export function recordingLogger(lines: string[]): Logger {
  const note = (event: string, fields?: object) => lines.push(`${event} ${JSON.stringify(fields ?? {})}`)
  return { ...silentLogger, debug: note, info: note, warn: note, error: note, child: () => recordingLogger(lines) }
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Replies have many shapes; each test declares the one it expects.
  readonly json: Record<string, unknown>
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly id_token?: string
}

export interface Harness {
  readonly sandbox: Sandbox
  readonly clock: ManualClock
  readonly log: string[]
  send(
    method: string,
    path: string,
    options?: { readonly token?: string; readonly json?: unknown; readonly headers?: Record<string, string>; readonly raw?: string },
  ): Promise<Answer>
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  authorize(query: Record<string, string>): Promise<Answer>
  /** A code for the default application. */
  code(query?: Record<string, string>): Promise<string>
  signIn(scope: string, options?: { readonly user?: string; readonly application?: string }): Promise<Tokens>
  idOf(username: string): Promise<string>
  close(): Promise<void>
}

export const pkce = (): { readonly verifier: string; readonly challenge: string } => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} }
}

export interface HarnessOptions extends Partial<Omit<SandboxOptions, 'held' | 'data'>> {
  /** `sandbox.sqlite` of a folder. */
  readonly dataFile?: string
  readonly clock?: ManualClock
  readonly port?: number
}

export async function startHarness({ port = 0, dataFile, ...options }: HarnessOptions = {}): Promise<Harness> {
  const clock = options.clock ?? new ManualClock()
  const log: string[] = []
  const sandbox = await startSandbox({
    held: await holdSandboxPort(port),
    activityPort: 0,
    isOwnPeer: async () => true,
    seed: 'test',
    data: dataFile === undefined ? undefined : new DataHealth({ folder: dirname(dataFile), clock, log: recordingLogger(log) }),
    mode: 'relaxed',
    autoConsent: true,
    log: recordingLogger(log),
    ...options,
    clock,
  })
  const { origin } = sandbox
  const stopRecording = recordAnswersOf(origin)
  const harness: Harness = {
    sandbox,
    clock,
    log,
    send: async (method, path, { token, json, headers = {}, raw } = {}) =>
      answerOf(
        await fetch(path.startsWith('/') ? `${origin}/api/v10${path}` : `${origin}/${path.slice(1)}`, {
          method,
          redirect: 'manual',
          headers: {
            ...(token === undefined ? {} : { authorization: token.startsWith('Bot ') ? token : `Bearer ${token}` }),
            ...(json === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(raw !== undefined ? { body: raw } : json === undefined ? {} : { body: JSON.stringify(json) }),
        }),
      ),
    form: async (path, fields, headers = {}) =>
      answerOf(await fetch(`${origin}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), headers })),
    authorize: async (query) =>
      answerOf(await fetch(`${origin}/oauth2/authorize?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })),
    async code(query = {}) {
      const { headers } = await harness.authorize({ ...BASE_QUERY, ...query })
      const code = new URL(headers.get('location') ?? '').searchParams.get('code')
      if (code === null) throw new Error(`no code: ${headers.get('location')}`)
      return code
    },
    async signIn(scope, { user = 'ada', application = APPLICATION } = {}) {
      const code = await harness.code({ scope, login_hint: user, client_id: application })
      const { json, status } = await harness.form('/api/v10/oauth2/token', {
        grant_type: 'authorization_code',
        code,
        client_id: application,
        client_secret: `sandbox-secret-${application}`,
      })
      if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(json)}`)
      return json as unknown as Tokens
    },
    async idOf(username) {
      const state = await harness.send('GET', '~sandbox/state')
      return (state.json['users'] as { id: string; username: string }[]).find((user) => user.username === username)?.id ?? ''
    },
    async close() {
      await sandbox.close()
      stopRecording()
    },
  }
  return harness
}

export const BASE_QUERY = { client_id: APPLICATION, response_type: 'code', scope: 'identify', redirect_uri: REDIRECT, state: 'xyz' }

/** A request with headers that fetch forbids, or without a wait for its end. */
export const rawRequest = (
  origin: string,
  options: { readonly method?: string; readonly path: string; readonly headers: Record<string, string>; readonly body?: string },
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const outgoing = httpRequest(
      { hostname, port, method: options.method ?? 'GET', path: options.path, headers: options.headers, agent: false },
      (incoming) => {
        let body = ''
        incoming.on('data', (chunk) => {
          body += String(chunk)
        })
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body }))
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
