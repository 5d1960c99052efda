/** `npm run walk`: a player's way over each package in booted systems; fails when a step is not as it should be. */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { obstacleToRoot } from '../e2e/systemd/root.ts'
import { obstacleToPackages, PACKAGINGS, type PackagingName } from './packagings.ts'
import { reportText, type WalkReport } from './report.ts'
import { walk, type WalkPlan } from './walk.ts'

const HELP = `npm run walk -- [PACKAGE…] [--system bookworm|trixie] [--out FILE]

  PACKAGE…       ${Object.keys(PACKAGINGS).join(', ')}; default: all
  --system NAME  in this system only; default: both
  --out FILE     also writes the tables there`

/** In one system the client stays where it is, in the other it comes and goes. */
const SYSTEMS: Readonly<Record<WalkPlan['system'], Pick<WalkPlan, 'takes' | 'clientStays'>>> = {
  bookworm: { takes: 'bind', clientStays: false },
  trixie: { takes: 'rename', clientStays: true },
}

const isPackaging = (name: string): name is PackagingName => Object.hasOwn(PACKAGINGS, name)
const isSystem = (name: string): name is WalkPlan['system'] => Object.hasOwn(SYSTEMS, name)

async function walkAll(packagings: readonly PackagingName[], systems: readonly WalkPlan['system'][]): Promise<readonly WalkReport[]> {
  const reports: WalkReport[] = []
  for (const system of systems) {
    const obstacle = obstacleToPackages() ?? (await obstacleToRoot(system))
    if (obstacle !== undefined) throw new Error(obstacle)
    for (const packaging of packagings) {
      const onStep = (step: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${packaging} on ${system}: ${step}`)
      reports.push(await walk({ packaging, system, ...SYSTEMS[system], onStep }))
    }
  }
  return reports
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { system: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (values.help) return console.log(HELP)
  const names = positionals.length === 0 ? Object.keys(PACKAGINGS) : positionals
  const systems = values.system === undefined ? Object.keys(SYSTEMS) : [values.system]
  const [unknown] = [...names.filter((name) => !isPackaging(name)), ...systems.filter((name) => !isSystem(name))]
  if (unknown !== undefined) throw new Error(`${unknown} is unknown.\n\n${HELP}`)
  const reports = await walkAll(names.filter(isPackaging), systems.filter(isSystem))
  const text = `${reports.map(reportText).join('\n\n')}\n`
  console.log(text)
  if (values.out !== undefined) writeFileSync(values.out, text)
  if (reports.some(({ rows }) => rows.some(({ wrong }) => wrong.length > 0))) process.exitCode = 1
}

try {
  await run()
} catch (failure) {
  console.error(`walk: ${(failure as Error).message}`)
  process.exitCode = 2
}
