/** The line protocol for adapters in JavaScript: each request calls the action with its name, and `emit` writes one line. */
import { createInterface } from 'node:readline'
import type { AdapterLine, Failure } from '../adapter.ts'

export interface Request {
  readonly do: string
  readonly id?: number
  readonly [key: string]: any
}

export type Actions = Readonly<Record<string, (request: Request) => unknown>>

export const emit = (line: AdapterLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** Emits the result of a call when it has ended. */
export function report(id: number | undefined, call: Promise<unknown>, failureOf: (error: unknown) => Failure): void {
  if (id === undefined) throw new Error('the request has no id')
  call.then(
    (data) => emit({ event: 'result', id, data: data ?? null }),
    (error: unknown) => emit({ event: 'result', id, error: failureOf(error) }),
  )
}

/** Obeys until the input ends, then ends the program. */
export function obey(actions: Actions): void {
  const input = createInterface({ input: process.stdin })
  input.on('line', (line) => {
    const request = JSON.parse(line) as Request
    if (request.do === 'echo') return emit({ event: 'echo', ...(request.id === undefined ? {} : { id: request.id }) })
    const action = actions[request.do]
    if (action === undefined) throw new Error(`there is no action ${request.do}`)
    action(request)
  })
  input.on('close', () => process.exit())
}
