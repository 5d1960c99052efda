/** `npm run conformance:clients`: plays good and hostile servers to client libraries, and prints what each of them does. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Command } from './adapter.ts'
import { CLIENTS } from './clients.ts'
import { claimsOfStranger, readClaims } from './features.ts'
import { matrix } from './matrix.ts'
import { writeMatrix } from './readme.ts'
import { type Client, isBad, type Outcome, playAll } from './run.ts'
import { STEP_IDS, STEPS } from './steps/index.ts'

const WAIT_MS = 20_000
const AT_ONCE = 3

const HELP = `npm run conformance:clients [-- options]

  --client NAME      plays this client; may be repeated: ${CLIENTS.map(({ name }) => name).join(', ')} (default: all)
  --command 'TEXT'   plays the adapter that the shell starts with this text
  --features FILE    what that adapter's client has; default: everything
  --step PREFIX      plays the steps whose name begins so; may be repeated
  --wait MS          longest time for a step (default ${WAIT_MS})
  --json FILE        writes every outcome
  --readme           writes the matrix into bindings/README.md if no step failed; for all clients and steps, as root on Linux
  --list             prints the steps

An adapter is described in test/conformance/clients/README.md.`

const { values } = parseArgs({
  options: {
    client: { type: 'string', multiple: true, default: [] },
    command: { type: 'string' },
    features: { type: 'string' },
    step: { type: 'string', multiple: true, default: [] },
    wait: { type: 'string', default: String(WAIT_MS) },
    json: { type: 'string' },
    readme: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const chosenSteps = STEPS.filter(({ id }) => values.step.length === 0 || values.step.some((prefix) => id.startsWith(prefix)))

/** Builds what must be built. A known client that cannot be built here is left out with a sentence. */
async function chosenClients(folder: string): Promise<readonly Client[]> {
  if (values.command !== undefined) {
    const command: Command = ['sh', '-c', `exec ${values.command}`]
    return [{ command, claims: values.features === undefined ? claimsOfStranger('adapter') : readClaims(values.features, STEP_IDS) }]
  }
  const unknown = values.client.filter((name) => !CLIENTS.some((client) => client.name === name))
  if (unknown.length > 0)
    throw new Error(`no client is named ${unknown.join(', ')}; there are ${CLIENTS.map(({ name }) => name).join(', ')}`)
  const clients: Client[] = []
  for (const { name, claims, prepare } of CLIENTS) {
    if (values.client.length > 0 && !values.client.includes(name)) continue
    const command = await prepare(join(folder, name))
    if (typeof command === 'string') console.log(`${name} is left out: ${command}`)
    else clients.push({ command, claims: readClaims(claims, STEP_IDS) })
  }
  return clients
}

async function play(folder: string): Promise<void> {
  const outcomes: Outcome[] = []
  for (const client of await chosenClients(folder)) outcomes.push(...(await playAll(client, chosenSteps, Number(values.wait), AT_ONCE)))
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(outcomes, null, 2)}\n`)
  console.log(matrix(outcomes))
  const count = (verdict: Outcome['verdict']): number => outcomes.filter((outcome) => outcome.verdict === verdict).length
  const bad = outcomes.filter(isBad).length
  if (values.readme && bad === 0) writeMatrix(outcomes)
  console.log(`${count('passed')} passed, ${bad} failed, ${count('known')} known, ${count('lacks')} lacked, ${count('not here')} not here`)
  process.exitCode = bad === 0 && count('passed') > 0 ? 0 : 1
}

const folder = await mkdtemp(join(tmpdir(), 'spk-'))
try {
  if (values.help) console.log(HELP)
  else if (values.list) console.log(STEPS.map(({ id, title }) => `${id}: the client ${title}`).join('\n'))
  else await play(folder)
} catch (failure) {
  console.error(failure instanceof Error ? failure.message : failure)
  process.exitCode = 2
} finally {
  await rm(folder, { recursive: true, force: true })
}
