/**
 * Makes V8's code caches of the program's files: runs it on the Node of the package until a game has connected, set its presence, signed
 * in and made a call, then saves what V8 has compiled. The caches hold code only, no state.
 */
import { type ChildProcess, fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { SallyportClient } from '@sallyport/client'
import { nodeFlags } from '../bin/node-flags.mjs'
import { PROGRAM } from './program.ts'

const RECORDER = join(import.meta.dirname, 'cache-recorder.cjs')
const APPLICATION_ID = '1180000000000000042'
const READY_MS = 30_000
const PROMPT_LOOK_MS = 20
const STDIO: StdioOptions = ['ignore', 'pipe', 'inherit', 'ipc']

export interface CodeCacheRequest {
  /** With the files of parts.ts, wrapped as functions (`wrapped`). The cache of each file that is read is added, as `FILE.cache`. */
  readonly folder: string
  /** The Node of the package; its version and flags must be those of the package. */
  readonly node: string
}

/** The text of a CommonJS module as a function of its five variables. */
export const wrapped = (text: string): string => `(function (exports, require, module, __filename, __dirname) {${text}\n})`

/** Rejects when the program does not start, or ends before the caches are written. */
export async function makeCodeCaches({ folder, node }: CodeCacheRequest): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'sp-'))
  const { npm_lifecycle_event: _byNpm, ...inherited } = process.env
  // Under npm the daemon reads one file more, and the code cache of its start would end there.
  const options = { execPath: node, execArgv: [...nodeFlags(process.platform)], env: { ...inherited, HOME: base, NODE_OPTIONS: '' } }
  const folders = (name: string) => ['--json', '--data-dir', join(base, name)]
  // A platform of its own, so that the caches hold nothing of the sandbox, which players do not run.
  const sandbox = fork(PROGRAM, ['sandbox', '--consent', 'allow', ...folders('sandbox')], { ...options, stdio: STDIO })
  const children = [sandbox]
  try {
    const { origin } = await readyLine(sandbox)
    const profile = join(base, 'platform.json')
    await writeFile(profile, JSON.stringify(profileOf(origin)))
    const runtimeDir = join(base, 'run')
    const words = ['run', '--platform', profile, '--runtime-dir', runtimeDir, '--vault', 'file', ...folders('data')]
    const daemon = fork(RECORDER, [folder, ...words], { ...options, stdio: STDIO })
    children.push(daemon)
    const exited = once(daemon, 'exit')
    const { dashboard } = await readyLine(daemon)
    await play(runtimeDir, await tokenFrom(origin), new URL(dashboard))
    daemon.send('save')
    const [code] = (await exited) as [number | null]
    if (code !== 0) throw new Error(`the program ended with ${code} before its code caches were written`)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    // The keeper of the names of the ended daemon still works in this folder for a moment.
    await rm(base, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The used fields of the two ready lines. */
interface Ready {
  readonly origin: string
  readonly dashboard: string
}

async function readyLine({ stdout }: ChildProcess): Promise<Ready> {
  if (stdout === null) throw new Error('the program has no stdout')
  const [line] = (await once(createInterface({ input: stdout }), 'line', { signal: AbortSignal.timeout(READY_MS) })) as [string]
  return JSON.parse(line) as Ready
}

const profileOf = (origin: string): object => ({
  name: 'recorded',
  ipcPrefix: 'discord-ipc',
  baseUrl: `${origin}/api/v10`,
  authorizeUrl: `${origin}/oauth2/authorize`,
  tokenUrl: `${origin}/api/v10/oauth2/token`,
  revokeUrl: `${origin}/api/v10/oauth2/token/revoke`,
  cdnHost: new URL(origin).host,
  activityProxyHost: 'activities.invalid',
  userAgent: 'sallyport',
  customSchemePrefix: 'discord',
})

const REDIRECT = 'http://127.0.0.1/callback'

/** An access token, as a game with a backend has one. The sandbox allows every authorization. */
async function tokenFrom(origin: string): Promise<string> {
  const query = { client_id: APPLICATION_ID, response_type: 'code', scope: 'openid sdk.social_layer guilds', redirect_uri: REDIRECT }
  const { headers } = await fetch(`${origin}/oauth2/authorize?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const client = { client_id: APPLICATION_ID, client_secret: `sandbox-secret-${APPLICATION_ID}` }
  const body = new URLSearchParams({ ...client, grant_type: 'authorization_code', code, redirect_uri: REDIRECT })
  const reply = (await (await fetch(`${origin}/api/v10/oauth2/token`, { method: 'POST', body })).json()) as {
    readonly access_token: string
  }
  return reply.access_token
}

/** Allows each prompt of the daemon, as a user on the dashboard. */
async function allowPrompts(dashboard: URL, signal: AbortSignal): Promise<void> {
  const token = new URLSearchParams(dashboard.hash.slice(1)).get('token') ?? ''
  const headers = { authorization: `Bearer ${token}` }
  while (!signal.aborted) {
    const state = (await (await fetch(new URL('/api/state', dashboard), { headers })).json()) as {
      readonly prompts: readonly { readonly id: string }[]
    }
    for (const { id } of state.prompts) {
      await fetch(new URL(`/api/prompts/${id}/allow`, dashboard), { method: 'POST', headers })
    }
    await pause(PROMPT_LOOK_MS)
  }
}

/** What most games do first, in both encodings. */
async function play(runtimeDir: string, accessToken: string, dashboard: URL): Promise<void> {
  const end = new AbortController()
  const allowing = allowPrompts(dashboard, end.signal)
  for (const encoding of ['json', 'msgpack'] as const) {
    const client = new SallyportClient({ applicationId: APPLICATION_ID, runtimeDir, encoding })
    await client.connect()
    await client.call('SET_ACTIVITY', { pid: process.pid, activity: { state: 'Packing', timestamps: { start: Date.now() } } })
    client.on('AUTHORIZE_REQUEST', () => {})
    client.on('ACTIVITY_JOIN', () => {})
    await client.call('AUTHENTICATE', { access_token: accessToken })
    await client.call('GET_CURRENT_USER', {})
    await client.call('GET_CURRENT_USER_GUILDS', {})
    await client.close()
  }
  end.abort()
  await allowing
}
