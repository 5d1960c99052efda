/**
 * `npm run test:long`: what takes longer than the tests of every change may take, one after the other. Prints the minutes of each, and ends with
 * 1 if one failed. `npm run test:long -- NAME…` runs some of them.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const MINUTE_MS = 60_000

/** Each is a script of package.json with its arguments. */
const PARTS = {
  // The executable, which others run.
  package: { script: 'package', args: [] },
  packaged: { script: 'test:all', args: ['--packaged'] },
  properties: { script: 'test', args: ['fuzz'], env: { FUZZ_RUNS: '5000' } },
  fuzz: { script: 'fuzz', args: ['--minutes', '10'] },
  'disk-faults': { script: 'disk-faults', args: [] },
  crowds: { script: 'test', args: ['e2e/crowds.test.ts'], env: { TEST_CROWDS: '1' } },
  inspector: { script: 'test', args: ['e2e/inspector-load.test.ts'], env: { TEST_INSPECTOR: '1' } },
  site: { script: 'test', args: ['e2e/site.test.ts', 'e2e/site-code.test.ts'], env: { TEST_SITE: '1' } },
  keys: { script: 'exactly-once', args: ['--rounds', '2000'] },
  waits: { script: 'test', args: ['e2e/three-processes.test.ts'], env: { TEST_WAITS: '1' } },
  published: { script: 'test', args: ['e2e/bindings-conformance.test.ts'], env: { TEST_PUBLISHED: '1' } },
  systemd: { script: 'test', args: ['e2e/systemd'], env: { TEST_SYSTEMD: '1' } },
  packageForWindows: { script: 'package', args: ['--target', 'win-x64'] },
  walk: { script: 'walk', args: [] },
  simulatedBugs: { script: 'simulate:bugs', args: [] },
  mutations: { script: 'coverage:mutate', args: [] },
  proofs: { script: 'bindings:prove', args: [] },
  soak: { script: 'soak', args: ['--target', 'packaged', '--minutes', '10'] },
} as const satisfies Record<
  string,
  { readonly script: string; readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> }
>

const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)

const given = process.argv.slice(2)
const unknown = given.filter((name) => !isPart(name))
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. The parts are ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}

const chosen = given.length === 0 ? Object.keys(PARTS).filter(isPart) : given.filter(isPart)
const lines = chosen.map((name) => {
  const { script, args, ...more } = PARTS[name]
  const start = performance.now()
  const env = { ...process.env, ...('env' in more ? more.env : {}) }
  const { status } = spawnSync('npm', ['run', script, '--', ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exitCode = 1
  return `${status === 0 ? 'ok    ' : 'FAILED'} ${name}, ${((performance.now() - start) / MINUTE_MS).toFixed(1)} min`
})
console.log(lines.join('\n'))
