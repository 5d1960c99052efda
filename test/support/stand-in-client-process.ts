/**
 * The stand-in desktop client (stand-in-client.ts) as a process: `node stand-in-client-process.ts '<options as JSON>'`.
 *
 * Options: those of StandInOptions, or in place of `path` a `directory` and a `slot`: a number, or "first" for the first free one,
 * as the real client chooses; the prefix is `discord-ipc` unless `prefix` says otherwise. Folders are made.
 *
 * stdout: its reports, one JSON object per line (StandInReport); after an order `{"event": "done", "id": …, "result": …}`.
 * stdin: orders, one JSON object per line, `id` is repeated in the answer:
 *
 *   {"do": "authorizeRequest", "with": ["<application>"]}            any method of StandInClient, `with` are its arguments;
 *   {"do": "publish", "with": ["EVENT", {…data…}, {"application": "<id>", "args": {…}}]}       the result is its return value
 *   {"do": "speak", "with": ["<user>", "<channel>", true]}
 *   {"do": "dropConnections"}   {"do": "close"}   {"do": "open"}     vanish and return, with the same socket path
 *   {"do": "state"}                                                  the result is StandInState
 *   {"do": "flood", "with": ["EVENT", {…data…}, {…}, 10000]}         the same event so many times
 *
 * It ends when stdin does, or when it is killed, and then leaves its socket file behind, as a killed client does.
 */
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { StandInClient, type StandInOptions } from './stand-in-client.ts'

type Place = { readonly path: string } | { readonly directory: string; readonly slot: number | 'first'; readonly prefix?: string }

const SLOTS = 10

const isServed = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })

async function pathOf(place: Place): Promise<string> {
  if ('path' in place) return place.path
  const { directory, slot, prefix = 'discord-ipc' } = place
  const at = (number: number) => join(directory, `${prefix}-${number}`)
  if (slot !== 'first') return at(slot)
  for (let number = 0; number < SLOTS; number++) if (!(await isServed(at(number)))) return at(number)
  throw new Error('every slot is taken')
}

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

interface Order {
  readonly id?: unknown
  readonly do: string
  readonly with?: readonly unknown[]
}

async function follow(client: StandInClient, { do: what, with: given = [] }: Order): Promise<unknown> {
  if (what === 'state') return client.state
  if (what === 'flood') {
    const [evt, data, to, times] = given as [string, unknown, object, number]
    let sent = 0
    for (let count = 0; count < times; count++) sent += client.publish(evt, data, to)
    return sent
  }
  const method = Reflect.get(client, what) as ((...given: readonly unknown[]) => unknown) | undefined
  if (typeof method !== 'function') throw new Error(`the stand-in cannot ${what}`)
  return method.apply(client, [...given])
}

const { readyExtra = {}, ...options } = JSON.parse(process.argv[2] ?? '') as StandInOptions & Place
const path = await pathOf(options)
if (!path.startsWith('\\\\')) mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
const client = new StandInClient({ ...options, path, readyExtra, report: say })
await client.open()
const orders = createInterface({ input: process.stdin })
orders.on('line', (line) => {
  const order = JSON.parse(line) as Order
  follow(client, order).then(
    (result) => say({ event: 'done', id: order.id ?? null, result: result ?? null }),
    (failure: unknown) => say({ event: 'done', id: order.id ?? null, error: String(failure) }),
  )
})
orders.once('close', () => process.exit(0))
