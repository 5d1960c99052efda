/** A third-party mock server for the public API description. It checks every request; a server in front of it answers the sign-in. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ended } from '#test/support/ended.ts'
import { freePort } from '#test/support/worker-ports.ts'
import { cleanEnvironment } from './daemon.ts'

const require = createRequire(import.meta.url)
const PRISM = join(dirname(require.resolve('@stoplight/prism-cli/package.json')), 'dist', 'index.js')
const HOST = '127.0.0.1'
const PREFIX = '/api/v10'
/** A search may name hundreds of ids, all in the address. */
const HEADERS_MAX = 256 * 1024

/** What the judge said of one request. */
export interface Verdict {
  /** `GET /users/@me` */
  readonly operation: string
  /** Status of its answer. */
  readonly status: number
  /** What is wrong with the request, in its words. */
  readonly violations: readonly string[]
}

export interface Judge {
  readonly baseUrl: string
  readonly verdicts: readonly Verdict[]
  stop(): Promise<void>
}

type Operation = Readonly<Record<string, unknown>>
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>>
  readonly components: Components
}

/** The components that these paths lead to: the mock server resolves each that is there, for seconds. */
function reached(components: Components, paths: unknown): Components {
  const found = new Set<string>()
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.values(value)) follow(inner)
    const to: unknown = Reflect.get(value, '$ref')
    if (typeof to !== 'string' || found.has(to)) return
    found.add(to)
    const [, , kind = '', name = ''] = to.split('/')
    follow(components[kind]?.[name])
  }
  follow(paths)
  const isReached = (kind: string, name: string) => kind === 'securitySchemes' || found.has(`#/components/${kind}/${name}`)
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => isReached(kind, name))),
    ]),
  )
}

/** The description with nothing said of answers: making one up takes it minutes for a message, and only requests are judged here. */
function requestsOnly(description: string): string {
  const { paths, components, ...rest } = JSON.parse(readFileSync(description, 'utf8')) as Document
  // Beside the methods of a path stands the list of its parameters.
  const isOperation = (value: Operation | readonly unknown[]): value is Operation => !Array.isArray(value)
  const silent = (value: Operation | readonly unknown[]) =>
    isOperation(value) ? { ...value, responses: { 200: { description: 'Accepted.' } } } : value
  const kept = Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, silent(operation)])),
    ]),
  )
  return JSON.stringify({ ...rest, components: reached(components, kept), paths: kept })
}

/** Resolves once it has read the description. */
async function startPrism(description: string) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [
      `--max-http-header-size=${HEADERS_MAX}`,
      PRISM,
      'mock',
      '--host',
      HOST,
      '--port',
      String(port),
      '--verboseLevel',
      'fatal',
      description,
    ],
    {
      env: cleanEnvironment(),
      stdio: 'ignore',
    },
  )
  const gone = ended(child).then((): never => {
    throw new Error('the mock server ended before it listened')
  })
  gone.catch(() => {})
  const isUp = async () => {
    for (;;) {
      const reply = await fetch(`http://${HOST}:${port}/`).catch(() => undefined)
      if (reply !== undefined || child.exitCode !== null || child.signalCode !== null) return
      await new Promise((later) => setTimeout(later, 100))
    }
  }
  await Promise.race([isUp(), gone])
  return {
    port,
    async stop() {
      child.kill()
      await ended(child)
    },
  }
}

interface Violation {
  readonly location: readonly string[]
  readonly message: string
}

/** `signIn`: answers by operation that the caller of the API needs to be sensible; all others are the mock's examples. */
export async function startJudge(description: string, signIn: Readonly<Record<string, unknown>>): Promise<Judge> {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  const requests = join(folder, 'requests.json')
  writeFileSync(requests, requestsOnly(description))
  const prism = await startPrism(requests)
  const verdicts: Verdict[] = []
  const front = createServer({ maxHeaderSize: HEADERS_MAX }, (incoming, outgoing) => {
    const path = (incoming.url ?? '').slice(PREFIX.length)
    const passed = httpRequest({ host: HOST, port: prism.port, path, method: incoming.method, headers: incoming.headers }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('end', () => {
        const found = JSON.parse(String(reply.headers['sl-violations'] ?? '[]')) as readonly Violation[]
        const operation = `${incoming.method} ${path.split('?')[0]}`
        const status = reply.statusCode ?? 0
        const violations = found.filter(({ location }) => location[0] === 'request').map(({ message }) => message)
        verdicts.push({ operation, status, violations: status < 300 ? violations : [...violations, Buffer.concat(chunks).toString()] })
        const own = signIn[operation]
        outgoing.writeHead(own === undefined ? status : 200, { 'content-type': 'application/json' })
        outgoing.end(own === undefined ? Buffer.concat(chunks) : JSON.stringify(own))
      })
    })
    passed.once('error', () => outgoing.destroy())
    incoming.pipe(passed)
  }).listen(0, HOST)
  await once(front, 'listening')
  return {
    baseUrl: `http://${HOST}:${(front.address() as AddressInfo).port}${PREFIX}`,
    verdicts,
    async stop() {
      await prism.stop()
      rmSync(folder, { recursive: true })
      front.closeAllConnections()
      front.close()
      await once(front, 'close')
    },
  }
}
