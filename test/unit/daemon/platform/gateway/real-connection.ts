/** A gateway connection on real sockets with a test clock, and awaitable values. */
import { TurnQueue } from '@sallyport/core/turn-queue'
import { Secret } from '@sallyport/core/secret'
import type { GatewayDispatch, GatewayConnection, GatewayConnectionOptions, GatewayState } from '#daemon/src/platform/gateway/gateway.ts'
import { IdentifyThrottle } from '#daemon/src/platform/gateway/identify-throttle.ts'
import { createGatewayConnection } from '#daemon/src/platform/gateway/connection.ts'
import { gatewayDialer } from '#daemon/src/platform/gateway/websocket.ts'
import type { NetworkOptions } from '#daemon/src/platform/api/dispatchers.ts'
import { FakeClock, settled } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

/** A queue of values with waiters. */
export class Arrivals<T> {
  readonly #values: T[] = []
  readonly #waiting: ((value: T) => void)[] = []

  put = (value: T): void => {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#values.push(value)
    else waiting(value)
  }
  next(): Promise<T> {
    const value = this.#values.shift()
    return value === undefined ? new Promise((resolve) => void this.#waiting.push(resolve)) : Promise.resolve(value)
  }
  /** The next matching value; others are skipped. */
  async until(fits: (value: T) => boolean): Promise<T> {
    for (;;) {
      const value = await this.next()
      if (fits(value)) return value
    }
  }
}

/** Passes a ms at each reading, so that a turn has two steps of a large message, however fast the machine is. */
const STEADY = { elapsed: () => STEADY.now++, now: 0 }

export interface RealLink {
  readonly connection: GatewayConnection
  readonly clock: FakeClock
  readonly log: RecordingLog
  readonly states: Arrivals<GatewayState>
  readonly dispatches: Arrivals<GatewayDispatch>
}

/** A started connection. */
export function openRealLink(
  options: Partial<GatewayConnectionOptions> & Pick<GatewayConnectionOptions, 'url'>,
  egress: NetworkOptions = {},
): RealLink {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const states = new Arrivals<GatewayState>()
  const dispatches = new Arrivals<GatewayDispatch>()
  const connection = createGatewayConnection(
    {
      token: async () => new Secret('Bot planted-token'),
      intents: 1,
      capabilities: 0,
      compress: 'none',
      presence: () => undefined,
      onDispatch: dispatches.put,
      onState: states.put,
      takerOf: () => undefined,
      ...options,
    },
    {
      clock,
      log,
      random: () => 0,
      identifyThrottle: new IdentifyThrottle(),
      turns: new TurnQueue(STEADY, setImmediate),
      quiet: { start: () => {} },
      dial: gatewayDialer(egress),
    },
  )
  connection.start()
  return { connection, clock, log, states, dispatches }
}

export const is = (name: GatewayState['name']) => (state: GatewayState) => state.name === name

/** The next value after a drop; the clock advances only during backoff. */
export async function afterPause<T>({ connection, clock }: RealLink, awaited: Promise<T>): Promise<T> {
  let isThere = false
  const noted = awaited.finally(() => {
    isThere = true
  })
  const waiting = async (): Promise<void> => {
    await settled()
    if (isThere) return
    if (connection.state.name === 'waiting') clock.advance(100)
    await waiting()
  }
  await waiting()
  return noted
}
