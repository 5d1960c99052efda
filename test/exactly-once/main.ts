/** `npm run exactly-once -- [--rounds N] [--seed N]`: kills games and daemons at random instants; prints what came of their calls. Ends with 1 if a call took effect twice, or another promise is broken. */
import { parseArgs } from 'node:util'
import { killRounds } from './rounds.ts'

const USAGE = 'Usage: npm run exactly-once -- [--rounds N] [--seed N], both whole numbers above 0.'
const SHOWN_EVERY = 100

/** Undefined: the words are wrong. */
function wanted(): { readonly rounds: number; readonly seed: number } | undefined {
  try {
    const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } } })
    const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
    return [rounds, seed].every((number) => Number.isSafeInteger(number) && number > 0) ? { rounds, seed } : undefined
  } catch {
    return undefined
  }
}

async function play({ rounds, seed }: { readonly rounds: number; readonly seed: number }): Promise<boolean> {
  const since = performance.now()
  const { calls, kills, verdict, problems } = await killRounds(rounds, seed, (round) => {
    if (round % SHOWN_EVERY === 0) console.log(`${round} rounds, ${((performance.now() - since) / 1000).toFixed(0)} s`)
  })
  const ofDaemon = kills.filter(({ victim }) => victim === 'daemon').length
  const underCall = kills.filter(({ open }) => open.length > 0).length
  const { doubled, lost, ghosts, refused, unknown } = verdict
  console.log(
    [
      `seed ${seed}: ${rounds} rounds, ${calls} calls, ${kills.length} kills (${ofDaemon} of the daemon, ${kills.length - ofDaemon} of the game), ${underCall} under a call`,
      `doubled ${doubled.length}, lost ${lost.length}, refused ${refused.length}, with an effect ${ghosts.length}, unknown ${unknown.length} (${((unknown.length / kills.length) * 100).toFixed(1)} % of kills)`,
      ...unknown.map(
        ({ id, command, tookEffect, reason }) => `  ${id} ${command}, ${tookEffect ? 'took effect' : 'took no effect'}: ${reason}`,
      ),
      ...[...new Set(refused)].map((reason) => `  refused: ${reason}`),
      ...problems.map((problem) => `PROBLEM: calls ${problem}`),
    ].join('\n'),
  )
  return problems.length === 0
}

const given = wanted()
if (process.argv.includes('--help')) console.log(USAGE)
else if (given === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else if (!(await play(given))) process.exitCode = 1
