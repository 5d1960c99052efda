/** A call that the daemon forwards to an HTTP API, compared with a program that only forwards it. */
import { join } from 'node:path'
import { BenchClient } from '../client.ts'
import { Part } from '../contestants/part.ts'
import { APPLICATION, command, plainHandshake } from '../frames.ts'
import { placeNote, shareProcessor } from '../one-processor.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'

const TOKEN = 'bench-access-token'
const CALL = command('GET_CURRENT_USER_GUILDS', {}, '647d814a-4cf8-4fbb-948f-c6c6d5d20000')
const US_PER_MS = 1000

const SIDES = ['relay', 'sallyport'] as const
type Side = (typeof SIDES)[number]
/** One figure per round. */
type Measured = Record<Side, number[]>

interface Answer {
  readonly evt: unknown
  readonly data: unknown
}

/** Throws when the daemon answers with an error: then there is nothing to measure. */
async function ask(client: BenchClient, bytes: Buffer): Promise<unknown> {
  const { evt, data } = (await client.ask(bytes)) as Answer
  if (evt !== null) throw new Error(`the call was answered ${JSON.stringify(data)}`)
  return data
}

async function guildsOf(client: BenchClient): Promise<unknown> {
  const guilds = await ask(client, CALL)
  if (!Array.isArray(guilds) || guilds.length === 0) throw new Error('the forwarded call brought no guilds')
  return guilds
}

const figuresOf = ({ relay, sallyport }: Measured) =>
  ({ unit: 'µs', floor: median(relay), sallyport: median(sallyport), ratio: pairedRatio(sallyport, relay) }) as const

export const forward: Row = {
  name: 'forward',
  async run({ ground, effort }) {
    const upstream = new Part('upstream-server.ts', [APPLICATION])
    const apiBase = await upstream.line()
    const relayPath = join(ground.folder(), 'relay')
    const relay = new Part('relay-server.mjs', [relayPath, apiBase, TOKEN])
    await relay.line()
    const daemon = await ground.start('sallyport', { apiBase })
    const clients = {
      relay: await BenchClient.open(relayPath, plainHandshake()),
      sallyport: await BenchClient.open(daemon.path, plainHandshake()),
    }
    const pids: Record<Side, number> = { relay: relay.pid, sallyport: daemon.pid }
    const place = shareProcessor([upstream.pid, ...Object.values(pids)])
    const cpu: Measured = { relay: [], sallyport: [] }
    let latency: Measured
    try {
      await ask(clients.sallyport, command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'))
      if (JSON.stringify(await guildsOf(clients.sallyport)) !== JSON.stringify(await guildsOf(clients.relay)))
        throw new Error('the relay and the daemon bring different answers')

      const tookMs = async (side: Side, calls: number): Promise<number> => {
        const from = performance.now()
        for (let call = 0; call < calls; call++) await clients[side].exchange(CALL, 1)
        return performance.now() - from
      }
      for (const side of SIDES) await tookMs(side, effort.forwardedWarmCalls)
      latency = await inTurns(SIDES, effort.rounds, async (side) => {
        const calls = effort.forwardedCalls
        const before = cpuMicroseconds(pids[side])
        const took = await tookMs(side, calls)
        cpu[side].push((cpuMicroseconds(pids[side]) - before) / calls)
        return (took * US_PER_MS) / calls
      })
    } finally {
      place.release()
      for (const client of Object.values(clients)) client.close()
      await daemon.stop()
      await relay.stop()
      await upstream.stop()
    }
    return [
      {
        what: 'forwarded call, CPU',
        ...figuresOf(cpu),
        aim: 'forwarded call',
        note: `the floor is a program that only relays; ${placeNote(place.isShared)}`,
      },
      { what: 'forwarded call, latency', ...figuresOf(latency), whyNoTarget: 'the internet adds a thousand times as much' },
    ]
  },
}
