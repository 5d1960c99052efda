/** `npm run walk`: a player's way over each package in booted systems; fails when a step is not as it should be. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { obstacleToRoot } from '../e2e/systemd/root.ts'
import { obstacleToPackages, PACKAGINGS, type PackagingName } from './packagings.ts'
import { reportText, type WalkReport } from './report.ts'
import { walk, type WalkPlan } from './walk.ts'
import { obstacleToSetup, walkWindows } from './windows.ts'

/** Of Windows; it runs in trixie only, whose Wine can start the program. */
const SETUP = 'setup'

const HELP = `npm run walk -- [PACKAGE…] [--system bookworm|trixie] [--out FILE] [--pictures FOLDER]

  PACKAGE…           ${Object.keys(PACKAGINGS).join(', ')}, ${SETUP}; default: all
  --system NAME      in this system only; default: both
  --out FILE         also writes the tables there
  --pictures FOLDER  writes what the screen showed at each step there`

/** In one system the client stays where it is, in the other it comes and goes. */
const SYSTEMS: Readonly<Record<WalkPlan['system'], Pick<WalkPlan, 'takes' | 'clientStays'>>> = {
  bookworm: { takes: 'bind', clientStays: false },
  trixie: { takes: 'rename', clientStays: true },
}

const isPackaging = (name: string): name is PackagingName => Object.hasOwn(PACKAGINGS, name)
const isSystem = (name: string): name is WalkPlan['system'] => Object.hasOwn(SYSTEMS, name)

interface Chosen {
  readonly packagings: readonly PackagingName[]
  readonly systems: readonly WalkPlan['system'][]
  readonly hasSetup: boolean
  readonly pictures: string | undefined
}

async function* walkAll({ packagings, systems, hasSetup, pictures }: Chosen): AsyncGenerator<WalkReport> {
  const onStep = (name: string) => (step: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${name}: ${step}`)
  for (const system of systems) {
    const obstacle = obstacleToPackages() ?? (await obstacleToRoot(system))
    if (obstacle !== undefined) throw new Error(obstacle)
    for (const packaging of packagings)
      yield await walk({ packaging, system, ...SYSTEMS[system], pictures, onStep: onStep(`${packaging} on ${system}`) })
    if (hasSetup && system === 'trixie') {
      const noSetup = obstacleToSetup()
      if (noSetup !== undefined) throw new Error(noSetup)
      yield await walkWindows(onStep(SETUP), pictures)
    }
  }
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      system: { type: 'string' },
      out: { type: 'string' },
      pictures: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values.help) return console.log(HELP)
  const names = positionals.length === 0 ? [...Object.keys(PACKAGINGS), SETUP] : positionals
  const systems = values.system === undefined ? Object.keys(SYSTEMS) : [values.system]
  const [unknown] = [...names.filter((name) => !isPackaging(name) && name !== SETUP), ...systems.filter((name) => !isSystem(name))]
  if (unknown !== undefined) throw new Error(`${unknown} is unknown.\n\n${HELP}`)
  if (values.pictures !== undefined) mkdirSync(values.pictures, { recursive: true })
  const chosen = {
    packagings: names.filter(isPackaging),
    systems: systems.filter(isSystem),
    hasSetup: names.includes(SETUP),
    pictures: values.pictures,
  }
  for await (const report of walkAll(chosen)) {
    const text = `${reportText(report)}\n\n`
    console.log(text)
    if (values.out !== undefined) appendFileSync(values.out, text)
    if (report.rows.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1
  }
}

try {
  await run()
} catch (failure) {
  console.error(`walk: ${(failure as Error).message}`)
  process.exitCode = 2
}
