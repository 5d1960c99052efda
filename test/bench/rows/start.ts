/** Time from the start of the program until it listens, against the time in which Node itself starts and ends. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { daemonFlags, DAEMON, type Ground, isolatedEnvironment, isReadyLine, LAUNCHES, PACKAGED } from '../contestants/contestants.ts'
import { type Line, ratioAtMost, type Row } from '../row.ts'
import { inTurns, median, pairedRatio } from '../statistics.ts'

interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly directory: string
  /** Undefined: it is done when it has ended. */
  readonly isReady?: (line: string) => boolean
}

/** Runs it until it listens and ends it; resolves to the ms from start to listening. */
const startOnce = ({ command, args, env = {}, directory, isReady }: Program): Promise<number> =>
  new Promise((resolve, reject) => {
    const from = performance.now()
    let took: number | undefined
    const child = spawn(command, args, {
      cwd: directory,
      env: { ...isolatedEnvironment(directory), ...env },
      stdio: ['ignore', isReady === undefined ? 'ignore' : 'pipe', 'ignore'],
    })
    child.on('error', reject)
    if (isReady !== undefined && child.stdout !== null) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (took !== undefined || !isReady(line)) return
        took = performance.now() - from
        child.kill('SIGTERM')
      })
    }
    child.on('exit', (code) => {
      if (isReady === undefined) resolve(performance.now() - from)
      else if (took === undefined) reject(new Error(`${command} ended with ${String(code)} before it listened`))
      else resolve(took)
    })
  })

function programs(ground: Ground) {
  const folders = { sallyport: ground.folder(), packaged: ground.folder(), arrpc: ground.folder() }
  const peer = LAUNCHES.arrpc(folders.arrpc, {})
  const nowhere = 'http://127.0.0.1:9'
  return {
    node: { command: process.execPath, args: ['-e', '0'], directory: ground.folder() },
    sallyport: {
      command: process.execPath,
      args: [DAEMON, ...daemonFlags(folders.sallyport, nowhere)],
      directory: folders.sallyport,
      isReady: isReadyLine,
    },
    packaged: { command: PACKAGED, args: daemonFlags(folders.packaged, nowhere), directory: folders.packaged, isReady: isReadyLine },
    arrpc: {
      command: peer.program,
      args: peer.args,
      env: peer.env,
      directory: folders.arrpc,
      isReady: (line) => line.includes(join(folders.arrpc, 'discord-ipc-0')),
    },
  } satisfies Record<string, Program>
}

export const start: Row = {
  name: 'start',
  async run({ ground, effort }) {
    const all = programs(ground)
    const names = existsSync(PACKAGED) ? (['node', 'sallyport', 'packaged', 'arrpc'] as const) : (['node', 'sallyport', 'arrpc'] as const)
    const measure = (name: keyof typeof all): Promise<number> => startOnce(all[name])
    // The first start fills the caches of the file system and makes what is made once.
    for (const name of names) await measure(name)
    const measured: Partial<Record<keyof typeof all, number[]>> = await inTurns(names, effort.starts, measure)
    const { node = [], sallyport = [], packaged, arrpc = [] } = measured
    const base = { unit: 'ms', floor: median(node) } as const
    const lines: Line[] = [
      {
        ...base,
        what: 'start to listening, from source',
        sallyport: median(sallyport),
        ratio: pairedRatio(sallyport, node),
        arrpc: median(arrpc),
        arrpcRatio: pairedRatio(arrpc, node),
        note: 'the floor is `node -e 0`',
      },
    ]
    if (packaged !== undefined) {
      lines.push({
        ...base,
        what: 'start to listening, packaged',
        sallyport: median(packaged),
        ratio: pairedRatio(packaged, node),
        target: ratioAtMost(1.5),
      })
    }
    return lines
  },
}
