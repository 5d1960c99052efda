/** The Io of the command line on this process, its streams and its signals. */
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { isatty } from 'node:tty'
import { systemClock } from '@sallyport/core/clock'
import type { Confirm } from '@sallyport/core/confirm'
import { harden } from '@sallyport/core/os/harden'
import { once } from '@sallyport/core/once'
import type { Machine } from '../config/paths.ts'
import { packagePlatform } from '../config/package-platform.ts'
import { OWN_PROGRAM } from '../identity/command-line.ts'
import { atTerminal } from './at-terminal.ts'
import { runCli } from './cli.ts'
import type { Io } from './command.ts'
import { CLI_COMMANDS } from './commands.ts'
import { DataOutput } from './data-output.ts'
import { EXIT } from './exit-codes.ts'
import { quietExpectedWarnings } from './expected-warnings.ts'
import { ownCommand } from './own-command.ts'
import { clearSecrets } from './own-secrets.ts'
import { showsColours } from './paint.ts'
import { stop, stopWithLauncher, untilStopped } from './stop-signal.ts'

const STDIN = 0
const STDOUT = 1
const STDERR = 2
const DEFAULT_COLUMNS = 80

/** Reads one line from the terminal; undefined at the end of input. */
async function readLine(prompt: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  try {
    return await Promise.race([lines.question(prompt), ended])
  } finally {
    lines.close()
  }
}

const isAtTerminal = (): boolean => atTerminal([process.stdin, process.stdout, process.stderr])

/** Loaded at the first prompt. */
function lazyConfirm(): Confirm {
  const confirm = once(async () => {
    const { terminalConfirm } = await import('./terminal-prompt.ts')
    return terminalConfirm({ input: process.stdin, output: process.stderr, canRead: isAtTerminal, clock: systemClock })
  })
  return async (prompt, signal) => (await confirm())(prompt, signal)
}

/** Without process.stdin, whose stream is not needed at start. */
const isTyped = (): boolean => isatty(STDIN) && isatty(STDERR)

const ERASE_LINE = '\r\u001b[K'
const status = (text = ''): void => void process.stderr.write(`${ERASE_LINE}${text}`)

const machineHere = (): Machine => ({
  platform: process.platform,
  env: process.env,
  home: homedir(),
  // Beside Node, which runs the script of a clone, there is no package of ours.
  ...(OWN_PROGRAM.script === OWN_PROGRAM.executable ? { packagePlatform: () => packagePlatform(dirname(OWN_PROGRAM.executable)) } : {}),
})

const processIo = (output: DataOutput): Io => ({
  out: (text) => output.line(text),
  info: (text) => void process.stderr.write(`${text}\n`),
  readSecret: async (prompt) => {
    const { readSecret } = await import('./secret-input.ts')
    return readSecret(prompt, process.stdin, (text) => void process.stderr.write(text))
  },
  ...(isatty(STDERR) ? { status } : {}),
  ...(isTyped() ? { confirm: lazyConfirm(), readLine } : {}),
  isAtTerminal,
  after: (ms, action) => systemClock.after(ms, action),
  machine: machineHere(),
  isStdoutTerminal: process.stdout.isTTY,
  // Undefined where it is no terminal, 0 in some that do not know.
  columns: process.stdout.columns || DEFAULT_COLUMNS,
  colours: { out: showsColours(process.env, isatty(STDOUT)), info: showsColours(process.env, isatty(STDERR)) },
  clearSecrets: () => clearSecrets(process.env),
  harden: () => harden(),
  untilStopped: () => untilStopped(process, () => performance.now()),
  ownCommand: () => ownCommand({ ...OWN_PROGRAM, env: process.env }),
  untilUnread: () => output.untilEnded(),
})

/** Only npm sets the variable, for developers, so that nothing of this is loaded at other starts. */
async function stopWithNpm(): Promise<void> {
  const { npmAbove, watchNpm } = await import('./npm-parent.ts')
  const npm = npmAbove(process.pid)
  if (npm !== undefined) watchNpm(npm, systemClock, () => stop(process, 'npm ended'))
}

/** Runs the command line of this process, then exits when the output is written. */
export async function runProcess(): Promise<void> {
  quietExpectedWarnings(process)
  stopWithLauncher(process)
  if (process.env['npm_lifecycle_event'] !== undefined) await stopWithNpm()
  // No stream is left that could report it.
  process.stderr.on('error', () => {})
  const words = process.argv.slice(2)
  const output = new DataOutput(process.stdout, (message) => {
    const text = words.includes('--json') ? JSON.stringify({ error: { message, exit_code: EXIT.failed } }) : `sallyport: ${message}`
    process.stderr.write(`${text}\n`)
  })
  const exitCode = await runCli(words, processIo(output), CLI_COMMANDS)
  await output.flushed()
  process.exit(output.hasFailed && exitCode === EXIT.ok ? EXIT.failed : exitCode)
}
