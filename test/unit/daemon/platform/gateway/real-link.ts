/** A link on real sockets, whose own time the test holds; and things that come by and by. */
import { Secret } from '@sallyport/core/secret'
import type { GatewayDispatch, GatewayLink, GatewayLinkOptions, GatewayState } from '../../../../../daemon/src/platform/gateway/gateway.ts'
import { IdentifyLimit } from '../../../../../daemon/src/platform/gateway/identify-limit.ts'
import { createGatewayLink } from '../../../../../daemon/src/platform/gateway/link.ts'
import { gatewayDialer } from '../../../../../daemon/src/platform/gateway/websocket.ts'
import type { Egress } from '../../../../../daemon/src/platform/api/dispatchers.ts'
import { FakeClock, settled } from '../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'

/** Values that come, and those who wait for one. */
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
  /** The next that fits; the others are passed over. */
  async until(fits: (value: T) => boolean): Promise<T> {
    for (;;) {
      const value = await this.next()
      if (fits(value)) return value
    }
  }
}

export interface RealLink {
  readonly link: GatewayLink
  readonly clock: FakeClock
  readonly log: RecordingLog
  readonly states: Arrivals<GatewayState>
  readonly dispatches: Arrivals<GatewayDispatch>
}

/** Started. */
export function openRealLink(options: Partial<GatewayLinkOptions> & Pick<GatewayLinkOptions, 'url'>, egress: Egress = {}): RealLink {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const states = new Arrivals<GatewayState>()
  const dispatches = new Arrivals<GatewayDispatch>()
  const link = createGatewayLink(
    {
      token: async () => new Secret('Bot planted-token'),
      intents: 1,
      capabilities: 0,
      compress: 'none',
      presence: () => undefined,
      onDispatch: dispatches.put,
      onState: states.put,
      ...options,
    },
    { clock, log, random: () => 0, identifies: new IdentifyLimit(), dial: gatewayDialer(egress) },
  )
  link.start()
  return { link, clock, log, states, dispatches }
}

export const is = (name: GatewayState['name']) => (state: GatewayState) => state.name === name

/** What comes of a link that was dropped: its time goes by only while it waits. */
export async function afterPause<T>({ link, clock }: RealLink, awaited: Promise<T>): Promise<T> {
  let isThere = false
  const noted = awaited.finally(() => {
    isThere = true
  })
  const waiting = async (): Promise<void> => {
    await settled()
    if (isThere) return
    if (link.state.name === 'waiting') clock.advance(100)
    await waiting()
  }
  await waiting()
  return noted
}
