/** `npm run bindings:prove`: the long proofs of the clients in C, C# and Lua, one line each. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { missingFor, PROOFS } from './proofs.ts'

const CALLS = 100_000
const SECONDS = 600

const HELP = `npm run bindings:prove [-- options]

  --only NAME   ${PROOFS.map(({ name }) => name).join(', ')}; may be repeated
  --calls N     calls of the proofs that make calls (default ${CALLS})
  --seconds N   time of each fuzz target (default ${SECONDS})

Inputs that the fuzz targets keep, and those that break something, are in .cache/fuzz.`

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    calls: { type: 'string', default: String(CALLS) },
    seconds: { type: 'string', default: String(SECONDS) },
    help: { type: 'boolean', default: false },
  },
})

async function prove(folder: string): Promise<void> {
  const chosen = PROOFS.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  const effort = { folder, calls: Number(values.calls), seconds: Number(values.seconds) }
  for (const proof of chosen) {
    const missing = await missingFor(proof)
    if (missing !== undefined) {
      console.log(`skipped ${proof.name}: ${missing} is not installed`)
      continue
    }
    try {
      console.log(`ok      ${proof.name}: ${proof.claim}: ${await proof.run(effort)}`)
    } catch (failure) {
      const { stderr = '', message } = failure as { readonly stderr?: string; readonly message: string }
      console.log(`FAILED  ${proof.name}: ${proof.claim}\n${message.split('\n')[0]}\n${stderr.slice(-6000)}`)
      process.exitCode = 1
    }
  }
  if (chosen.length === 0) throw new Error(`there is no proof ${values.only.join(', ')}`)
}

const folder = await mkdtemp(join(tmpdir(), 'spp-'))
try {
  if (values.help) console.log(HELP)
  else await prove(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
