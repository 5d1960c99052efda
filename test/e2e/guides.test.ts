/** Runs the commands of each guide in `daemon/docs/guides`, as a reader would paste them into a shell, in folders of their own. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cleanEnvironment, type Folders, folders, SOURCE } from './support/daemon.ts'
import { programMade } from './support/program.ts'

const GUIDES = resolve(import.meta.dirname, '../../daemon/docs/guides')

const commandsOf = (guide: string): string =>
  [...readFileSync(join(GUIDES, guide), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('')

/** A command that fails ends the script, and the daemon that it started. */
const scriptOf = (commands: string): string =>
  `set -eu
trap 'status=$?; kill $(jobs -p) 2>/dev/null || true; wait; exit $status' EXIT
sallyport() { ${SOURCE.command.map((word) => `'${word}'`).join(' ')} "$@"; }
${commands}
trap - EXIT
echo 'the script reached its end'
`

let at: Folders
beforeEach(async () => {
  at = await folders()
  await programMade()
})
afterEach(() => at.remove())

describe.skipIf(process.platform === 'win32')('the commands of a guide work: ', () => {
  test.each(readdirSync(GUIDES))('%s', async (guide) => {
    const commands = commandsOf(guide)
    expect(commands).toContain('sallyport ')
    for (const folder of [at.base, at.runtime, at.data]) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const env = { ...cleanEnvironment(), HOME: at.data, XDG_RUNTIME_DIR: at.runtime, SALLYPORT_DATA_DIR: at.data, SALLYPORT_VAULT: 'file' }
    const shell = spawn('bash', ['-c', scriptOf(commands)], { cwd: at.base, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const code = await new Promise((settle) => shell.once('close', settle))
    expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringContaining('the script reached its end') })
  })
})
