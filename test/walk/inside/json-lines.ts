/** Lines of JSON on the streams of a program, each with its time. */
import { createInterface } from 'node:readline'

export interface Order {
  readonly id: number
  readonly do: string
  readonly with?: readonly unknown[]
}

export const say = (line: object): void => void process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`)

/** Follows the orders of the standard input, and answers each; ends the program when the input ends. */
export function followOrders(follow: (order: Order) => Promise<unknown>, atEnd: () => void = () => process.exit(0)): void {
  const orders = createInterface({ input: process.stdin })
  orders.on('line', (line) => {
    const order = JSON.parse(line) as Order
    follow(order).then(
      (result) => say({ event: 'done', id: order.id, result: result ?? null }),
      (failure: unknown) => say({ event: 'done', id: order.id, error: String(failure) }),
    )
  })
  orders.once('close', atEnd)
}
