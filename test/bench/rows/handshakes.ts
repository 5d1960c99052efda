/** 1,000 games in C that start at the same moment: all must get READY. Games in JavaScript would cost more than what is measured. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cProgram } from '../c-program.ts'
import type { Contestant, ServerName } from '../contestants/contestants.ts'
import { plainHandshake } from '../frames.ts'
import { cpuMicroseconds, quietDown } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'
import { exactly } from '../targets.ts'

const GAMES = 1000
const SERVERS = ['floor', 'packaged', 'arrpc'] as const satisfies readonly ServerName[]
type Server = (typeof SERVERS)[number]
/** The payload alone: the program makes the header. */
const HELLO = plainHandshake().subarray(8).toString()

export const handshakes: Row = {
  name: 'handshakes',
  async run({ ground, effort }) {
    const program = cProgram(ground, 'native-games')
    const started = await Promise.all(SERVERS.map(async (name) => [name, await ground.start(name)] as const))
    const servers = Object.fromEntries(started) as Record<Server, Contestant>
    const lost: Record<Server, number> = { floor: 0, packaged: 0, arrpc: 0 }

    /** CPU of the server for each game, in µs. */
    const rush = async (name: Server): Promise<number> => {
      const { pid, path } = servers[name]
      const before = cpuMicroseconds(pid)
      const games = spawn(program, {
        env: { SOCKET: path, COUNT: String(GAMES), HANDSHAKE: HELLO },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const [said] = (await once(games.stdout, 'data')) as [Buffer]
      const cpu = (cpuMicroseconds(pid) - before) / GAMES
      lost[name] += Number(said)
      games.stdin.end()
      await once(games, 'exit')
      // The next turn must find all of these gone.
      await quietDown(pid)
      return cpu
    }

    for (const name of SERVERS) await rush(name)
    for (const name of SERVERS) lost[name] = 0
    const { floor, packaged, arrpc } = await inTurns(SERVERS, effort.handshakeRounds, rush)
    for (const name of SERVERS) await servers[name].stop()
    return [
      {
        what: `packaged, ${GAMES} handshakes at once: lost`,
        unit: 'lost',
        floor: lost.floor,
        sallyport: lost.packaged,
        arrpc: lost.arrpc,
        target: exactly(0),
        note: `in ${effort.handshakeRounds} rushes of games in C`,
      },
      {
        what: 'packaged, handshake of a native game: CPU',
        unit: 'µs',
        floor: median(floor),
        sallyport: median(packaged),
        ratio: pairedRatio(packaged, floor),
        arrpc: median(arrpc),
        arrpcRatio: pairedRatio(arrpc, floor),
        aim: 'handshake',
      },
    ]
  },
}
