/** The Io of the command line on this process, its streams and its signals. */
import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { systemClock } from '@sallyport/core/clock'
import { harden } from '@sallyport/core/os/harden'
import { atTerminal } from './at-terminal.ts'
import { runCli } from './cli.ts'
import type { Io } from './command.ts'
import { CLI_COMMANDS } from './commands.ts'
import { quietExpectedWarnings } from './expected-warnings.ts'
import { clearSecrets } from './own-secrets.ts'
import { readSecret } from './secret-input.ts'
import { untilStopped } from './stop-signal.ts'
import { terminalConfirm } from './terminal-prompt.ts'

/** Ignores a closed pipe (`sallyport config | head -1`). */
function tolerateClosedPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

/** Reads one line from the terminal; undefined at the end of input. */
async function readLine(prompt: string): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  const ended = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
  try {
    return await Promise.race([lines.question(prompt), ended])
  } finally {
    lines.close()
  }
}

const isAtTerminal = (): boolean => atTerminal([process.stdin, process.stdout, process.stderr])

const isTyped = (): boolean => process.stdin.isTTY && process.stderr.isTTY

const processIo = (): Io => ({
  out: (text) => void process.stdout.write(`${text}\n`),
  info: (text) => void process.stderr.write(`${text}\n`),
  readSecret: (prompt) => readSecret(prompt, process.stdin, (text) => void process.stderr.write(text)),
  ...(isTyped()
    ? { confirm: terminalConfirm({ input: process.stdin, output: process.stderr, canRead: isAtTerminal, clock: systemClock }), readLine }
    : {}),
  isAtTerminal,
  after: (ms, action) => systemClock.after(ms, action),
  machine: { platform: process.platform, env: process.env, home: homedir() },
  isStdoutTerminal: process.stdout.isTTY,
  clearSecrets: () => clearSecrets(process.env),
  harden: () => harden(),
  untilStopped: () => untilStopped(process, () => performance.now()),
})

/** Runs the command line of this process, then exits when the output is written. */
export async function runProcess(): Promise<void> {
  quietExpectedWarnings(process)
  tolerateClosedPipe(process.stdout)
  tolerateClosedPipe(process.stderr)
  const exitCode = await runCli(process.argv.slice(2), processIo(), CLI_COMMANDS)
  process.stdout.write('', () => process.exit(exitCode))
}
