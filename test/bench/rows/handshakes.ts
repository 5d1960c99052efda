/** 1,000 games in C that start at the same moment: all must get READY. Games in JavaScript would cost more than what is measured. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type ContestantName, CONTESTANTS } from '../contestants/contestants.ts'
import { plainHandshake } from '../frames.ts'
import { cpuMicroseconds, quietDown } from '../process-figures.ts'
import { atMost, type Figures, none, type Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { startTrio, stopTrio } from '../trio.ts'

const GAMES = 1000
/** The payload alone: the program makes the header. */
const HELLO = plainHandshake().subarray(8).toString()
const SOURCE = join(import.meta.dirname, '../contestants/native-games.c')

interface Rush {
  readonly ms: number
  /** Of the server for each game, in µs. */
  readonly cpu: number
}

export const handshakes: Row = {
  name: 'handshakes',
  async run(bench) {
    const program = join(bench.ground.folder(), 'native-games')
    execFileSync('cc', ['-O2', SOURCE, '-o', program])
    const trio = await startTrio(bench)
    const lost: Record<ContestantName, number> = { floor: 0, sallyport: 0, arrpc: 0 }

    const rush = async (name: ContestantName): Promise<Rush> => {
      const { pid, path } = trio[name]
      const before = cpuMicroseconds(pid)
      const from = performance.now()
      const games = spawn(program, {
        env: { SOCKET: path, COUNT: String(GAMES), HANDSHAKE: HELLO },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const [said] = (await once(games.stdout, 'data')) as [Buffer]
      const ms = performance.now() - from
      const cpu = (cpuMicroseconds(pid) - before) / GAMES
      lost[name] += Number(said)
      games.stdin.end()
      await once(games, 'exit')
      // The next turn must find all of these gone.
      await quietDown(pid)
      return { ms, cpu }
    }

    for (const name of CONTESTANTS) await rush(name)
    for (const name of CONTESTANTS) lost[name] = 0
    const measured = await inTurns(CONTESTANTS, bench.effort.handshakeRounds, rush)
    await stopTrio(trio)

    const figuresOf = (key: keyof Rush): Pick<Figures, 'floor' | 'sallyport' | 'ratio' | 'arrpc' | 'arrpcRatio'> => {
      const [floor = [], sallyport = [], arrpc = []] = CONTESTANTS.map((name) => measured[name].map((one) => one[key]))
      return {
        floor: median(floor),
        sallyport: median(sallyport),
        ratio: pairedRatio(sallyport, floor),
        arrpc: median(arrpc),
        arrpcRatio: pairedRatio(arrpc, floor),
      }
    }
    return [
      {
        what: `${GAMES} handshakes at once: lost`,
        unit: 'lost',
        ...lost,
        target: none,
        note: `in ${bench.effort.handshakeRounds} rushes of games in C`,
      },
      { what: 'handshake of a native game: CPU', unit: 'µs', ...figuresOf('cpu'), target: atMost(65, 'µs') },
      {
        what: `${GAMES} handshakes at once: time`,
        unit: 'ms',
        ...figuresOf('ms'),
        whyNoTarget: 'no player has a thousand games, and the scheduler decides it',
      },
    ]
  },
}
