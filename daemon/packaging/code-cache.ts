/**
 * Makes V8's code caches of the program's two files: runs it on the Node of the package until a game has connected, set its presence, signed in and made a
 * call, then saves what V8 has compiled. The cache holds code only, no state.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SallyportClient } from '@sallyport/client'
import { nodeFlags } from '../bin/node-flags.mjs'

const RECORDER = join(import.meta.dirname, 'cache-recorder.cjs')
const APPLICATION_ID = '1180000000000000042'
const READY_MS = 30_000

export interface CodeCacheRequest {
  /** With `program.js` and `later.js`, the files of the program wrapped as functions (`wrapped`). `program.cache` and `later.cache` are added. */
  readonly folder: string
  /** The Node of the package; its version and flags must be those of the package. */
  readonly node: string
}

/** The text of a CommonJS module as a function of its five variables. */
export const wrapped = (text: string): string => `(function (exports, require, module, __filename, __dirname) {${text}\n})`

/** Rejects when the program does not start, or ends before the caches are written. */
export async function makeCodeCaches({ folder, node }: CodeCacheRequest): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'sp-'))
  const runtimeDir = join(base, 'run')
  const args = ['run', '--json', '--consent', 'allow', '--runtime-dir', runtimeDir, '--data-dir', join(base, 'data'), '--vault', 'file']
  const child = fork(RECORDER, [folder, ...args], {
    execPath: node,
    execArgv: [...nodeFlags(process.platform)],
    env: { ...process.env, HOME: base, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  try {
    await ready(child)
    await play(runtimeDir)
    child.send('save')
    const [code] = (await exited) as [number | null]
    if (code !== 0) throw new Error(`the program ended with ${code} before its code caches were written`)
  } finally {
    child.kill('SIGKILL')
    await rm(base, { recursive: true, force: true })
  }
}

async function ready({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('the program has no stdout')
  await once(createInterface({ input: stdout }), 'line', { signal: AbortSignal.timeout(READY_MS) })
}

/** What most games do first, in both encodings. */
async function play(runtimeDir: string): Promise<void> {
  for (const encoding of ['json', 'msgpack'] as const) {
    const client = new SallyportClient({ applicationId: APPLICATION_ID, runtimeDir, encoding })
    await client.connect()
    await client.call('SET_ACTIVITY', { pid: process.pid, activity: { state: 'Packing', timestamps: { start: Date.now() } } })
    client.on('AUTHORIZE_REQUEST', () => {})
    client.on('ACTIVITY_JOIN', () => {})
    await client.signIn({ scopes: ['openid', 'sdk.social_layer'] })
    await client.call('GET_CURRENT_USER', {})
    await client.call('GET_CURRENT_USER_GUILDS', {})
    await client.close()
  }
}
