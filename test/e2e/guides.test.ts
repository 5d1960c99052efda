/** Runs the commands of each guide in `daemon/docs/guides`, as a reader would paste them into a shell, in folders of their own. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment, type Folders, folders, SOURCE } from './support/daemon.ts'
import { programMade } from './support/program.ts'

const GUIDES = resolve(import.meta.dirname, '../../daemon/docs/guides')

const commandsOf = (guide: string): string =>
  [...readFileSync(join(GUIDES, guide), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('')

/** A command that fails ends the script, and the daemon that it started. */
const scriptOf = (commands: string): string => `set -eu
trap 'status=$?; kill $(jobs -p) 2>/dev/null || true; wait; exit $status' EXIT
${commands}
echo 'the script reached its end'
`

const guides = readdirSync(GUIDES).filter((guide) => commandsOf(guide) !== '')
let at: Folders
let bin: string
beforeEach(async () => {
  at = await folders()
  bin = join(at.base, 'bin')
  for (const folder of [at.runtime, at.data, bin]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  // A file and not a function: the shell's job is then the daemon itself.
  writeFileSync(join(bin, 'sallyport'), `#!/bin/sh\nexec ${SOURCE.command.map((word) => `'${word}'`).join(' ')} "$@"\n`, { mode: 0o755 })
  await programMade()
})
afterEach(() => at.remove())

describe.skipIf(process.platform === 'win32')('the commands of a guide work: ', () => {
  test('every guide but that of web clients has some', () => {
    expect(readdirSync(GUIDES).filter((guide) => !guides.includes(guide))).toEqual(['web-clients.md'])
  })

  test.each(guides)('%s', async (guide) => {
    const shell = spawn('bash', ['-c', scriptOf(commandsOf(guide))], {
      cwd: at.base,
      env: {
        ...cleanEnvironment(),
        PATH: [bin, process.env.PATH].join(delimiter),
        HOME: at.data,
        XDG_RUNTIME_DIR: at.runtime,
        SALLYPORT_DATA_DIR: at.data,
        SALLYPORT_VAULT: 'file',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const code = await ended(shell)
    expect({ code, printed }).toMatchObject({ code: 0, printed: expect.stringContaining('the script reached its end') })
  })
})
