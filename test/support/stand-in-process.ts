/** Starts the stand-in desktop client in its own process and controls it (see stand-in-client-process.ts). */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ended } from './ended.ts'
import type { StandInClient, StandInOptions, StandInReport, StandInState } from './stand-in-client.ts'

const PROGRAM = join(import.meta.dirname, 'stand-in-client-process.ts')

export type StandInPlace =
  | { readonly path: string }
  | { readonly directory: string; readonly slot: number | 'first'; readonly prefix?: string }

export type StandInProcessOptions = Omit<StandInOptions, 'path' | 'report'> & StandInPlace

type Call = Extract<StandInReport, { event: 'call' }>

export interface StandInProcess {
  readonly path: string
  /** Everything it reported, oldest first. */
  readonly reports: readonly StandInReport[]
  /** The calls among them. It asks the process first: a report may come later than the answer that a game gets. */
  calls(): Promise<readonly Call[]>
  /** Resolves with the first report, past or future, for which `found` returns true; those before `from` are skipped. */
  report(found: (report: StandInReport) => boolean, from?: number): Promise<StandInReport>
  /** Any method of StandInClient by its name. */
  order(what: keyof StandInClient | 'flood', ...given: readonly unknown[]): Promise<unknown>
  state(): Promise<StandInState>
  /** Kills it with SIGKILL; its socket file stays. */
  kill(): Promise<void>
}

export async function startStandIn(options: StandInProcessOptions): Promise<StandInProcess> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const reports: StandInReport[] = []
  const waiting = new Set<() => void>()
  const orders = new Map<number, { readonly resolve: (result: unknown) => void; readonly reject: (failure: Error) => void }>()
  let lastOrder = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as StandInReport | { event: 'done'; id: number; result?: unknown; error?: string }
    if (said.event === 'done') {
      const order = orders.get(said.id)
      orders.delete(said.id)
      if (said.error === undefined) order?.resolve(said.result)
      else order?.reject(new Error(said.error))
      return
    }
    reports.push(said)
    for (const look of waiting) look()
  })
  child.stdin.on('error', () => {})
  /** Rejects when the process ends, so that no waiting test hangs. */
  const gone = ended(child).then((code): never => {
    throw new Error(`the stand-in ended with ${code}`)
  })
  gone.catch(() => {})

  const report = (found: (report: StandInReport) => boolean, from = 0): Promise<StandInReport> => {
    const { promise, resolve } = Promise.withResolvers<StandInReport>()
    const look = () => {
      const hit = reports.slice(from).find(found)
      if (hit === undefined) return
      waiting.delete(look)
      resolve(hit)
    }
    waiting.add(look)
    look()
    return Promise.race([promise, gone])
  }
  const order = (what: string, ...given: readonly unknown[]): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++lastOrder
    orders.set(id, { resolve, reject })
    child.stdin.write(`${JSON.stringify({ id, do: what, with: given })}\n`)
    return Promise.race([promise, gone])
  }

  const listening = await report(({ event }) => event === 'listening')
  return {
    path: (listening as Extract<StandInReport, { event: 'listening' }>).path,
    reports,
    async calls() {
      await order('state')
      return reports.filter((one) => one.event === 'call')
    },
    report,
    order,
    state: () => order('state') as Promise<StandInState>,
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
  }
}
