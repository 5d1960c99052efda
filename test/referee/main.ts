/** `npm run referee`: plays a careless game in both sandboxes, and prints what it met. Ends with 1 if an answer is not the expected one. */
import { folders, SOURCE, startDaemon } from '../e2e/support/daemon.ts'
import { playAll, STEPS } from './game.ts'
import { arenaOf } from './player.ts'
import { refereeTable } from './table.ts'

async function answersIn(mode: 'strict' | 'relaxed'): Promise<readonly string[]> {
  const at = await folders()
  try {
    const { ready, origin, socket, stop } = await startDaemon(SOURCE, at, ['--sandbox', mode])
    try {
      return await playAll(await arenaOf({ origin, socket, apiBase: ready.apiBase, tokenUrl: ready.tokenUrl }))
    } finally {
      await stop()
    }
  } finally {
    await at.remove()
  }
}

const relaxed = await answersIn('relaxed')
const strict = await answersIn('strict')
console.log(refereeTable(relaxed, strict))
const isExpected = relaxed.every((answer) => answer === 'ok') && STEPS.every((step, index) => step.strict === strict[index])
process.exitCode = isExpected ? 0 : 1
