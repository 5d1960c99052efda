/** A call that the daemon forwards to an HTTP API, against the same call made directly with the same HTTP client. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { BenchClient } from '../client.ts'
import { APPLICATION, command, plainHandshake } from '../frames.ts'
import { placeNote, shareProcessor } from '../one-processor.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import { type Line, ratioAtMost, type Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'

const TOKEN = 'bench-access-token'
const PARTS = join(import.meta.dirname, '../contestants')
const CALL = command('GET_CURRENT_USER_GUILDS', {}, '647d814a-4cf8-4fbb-948f-c6c6d5d20000')
const US_PER_MS = 1000
const WARM_ROUNDS = 4

class Part {
  readonly #child: ChildProcess
  readonly #lines: Interface

  constructor(file: string, args: readonly string[]) {
    this.#child = spawn(process.execPath, [join(PARTS, file), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#lines = createInterface({ input: this.#child.stdout! })
  }

  get pid(): number {
    return this.#child.pid!
  }

  async line(): Promise<string> {
    const [line] = (await once(this.#lines, 'line')) as [string]
    return line
  }

  async ask(line: string): Promise<string> {
    const answer = this.line()
    this.#child.stdin!.write(`${line}\n`)
    return answer
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exited
  }
}

interface Answer {
  readonly evt: unknown
  readonly data: unknown
}

/** Throws when the daemon answers with an error: then there is nothing to measure. */
async function ask(client: BenchClient, bytes: Buffer): Promise<unknown> {
  const { evt, data } = (await client.ask(bytes)) as Answer
  if (evt !== null) throw new Error(`the daemon answered ${JSON.stringify(data)}`)
  return data
}

export const forward: Row = {
  name: 'forward',
  async run({ ground, effort }) {
    const upstream = new Part('upstream-server.ts', [APPLICATION])
    const apiBase = await upstream.line()
    const direct = new Part('direct-caller.ts', [apiBase, TOKEN])
    const daemon = await ground.start('sallyport', { apiBase })
    const client = await BenchClient.open(daemon.path, plainHandshake())
    const place = shareProcessor([upstream.pid, direct.pid, daemon.pid])
    const cpu: Record<'direct' | 'forwarded', number[]> = { direct: [], forwarded: [] }
    const latency: typeof cpu = { direct: [], forwarded: [] }
    try {
      await ask(client, command('AUTHENTICATE', { access_token: TOKEN }, 'sign-in'))
      const guilds = await ask(client, CALL)
      if (!Array.isArray(guilds) || guilds.length === 0) throw new Error('the forwarded call brought no guilds')

      const calls = effort.forwardedCalls
      const forwarded = async (): Promise<number> => {
        const from = performance.now()
        for (let call = 0; call < calls; call++) await client.exchange(CALL, 1)
        return performance.now() - from
      }
      const one = async (how: 'direct' | 'forwarded'): Promise<number> => {
        const pid = how === 'direct' ? direct.pid : daemon.pid
        const before = cpuMicroseconds(pid)
        const tookMs = how === 'direct' ? Number(await direct.ask(String(calls))) : await forwarded()
        cpu[how].push((cpuMicroseconds(pid) - before) / calls)
        latency[how].push((tookMs * US_PER_MS) / calls)
        return tookMs
      }
      await inTurns(['direct', 'forwarded'], WARM_ROUNDS + effort.rounds, one)
    } finally {
      place.release()
      client.close()
      await daemon.stop()
      await direct.stop()
      await upstream.stop()
    }
    const line = (what: string, { direct: floor, forwarded: through }: typeof cpu): Line => {
      const base = floor.slice(WARM_ROUNDS)
      const counted = through.slice(WARM_ROUNDS)
      return {
        what,
        unit: 'µs',
        floor: median(base),
        sallyport: median(counted),
        ratio: pairedRatio(counted, base),
        target: ratioAtMost(1.3),
      }
    }
    return [
      { ...line('forwarded call, CPU', cpu), note: `the floor is the same call made directly with undici; ${placeNote(place.isShared)}` },
      line('forwarded call, latency', latency),
    ]
  },
}
