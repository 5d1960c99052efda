/** Prompts in the terminal of the daemon, one at a time. An answer must contain the id of its prompt. */
import { createInterface } from 'node:readline'
import type { Clock } from '@sallyport/core/clock'
import type { Confirm, TerminalPrompt } from '@sallyport/core/confirm'

export interface TerminalDeps {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream & { readonly columns?: number }
  /** Checked before each prompt, because the system stops a background process that reads its terminal. */
  readonly canRead: () => boolean
  readonly clock: Clock
}

/** Milliseconds in which input after a prompt is ignored, because it was typed before the user could read the prompt. */
export const MIN_READING_MS = 700

const ANSWERS: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false }

export function terminalConfirm(ports: TerminalDeps): Confirm {
  let previous: Promise<unknown> = Promise.resolve()
  return (prompt, signal) => {
    const pending = previous.then(() => {
      if (signal.aborted) throw new Error('answered elsewhere')
      if (!ports.canRead()) throw new Error('another program uses the terminal')
      return promptUser(prompt, signal, ports)
    })
    previous = pending.catch(() => {})
    return pending
  }
}

/** Discards input that was typed before this prompt. */
function discardBuffered(input: NodeJS.ReadableStream): void {
  while (input.read() !== null) continue
}

/** Undefined if the line is not an answer to this prompt. */
function parseAnswer(line: string, id: string): boolean | undefined {
  const [named, answer, ...more] = line.trim().toLowerCase().split(/\s+/)
  return named === id && answer !== undefined && more.length === 0 && Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined
}

function promptUser({ id, text }: TerminalPrompt, signal: AbortSignal, { input, output, clock }: TerminalDeps): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const printUsage = () => output.write(`Answer with:  ${id} yes   or   ${id} no\n`)
    discardBuffered(input)
    output.write(`\n${text(output.columns || undefined)}\n`)
    printUsage()
    let isReadable = false
    let isTooSoon = false
    const cancelTimer = clock.after(MIN_READING_MS, () => {
      isReadable = true
      if (isTooSoon) output.write('Input from before the prompt was readable is ignored.\n')
      if (isTooSoon) printUsage()
    })
    // Not as a terminal, because its raw mode would capture Ctrl-C.
    const lines = createInterface({ input, terminal: false })
    const cleanUp = () => {
      signal.removeEventListener('abort', onAbort)
      cancelTimer()
      lines.close()
    }
    const onAbort = () => {
      output.write(`\nPrompt ${id} was answered elsewhere or cancelled.\n`)
      cleanUp()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    lines.on('line', (line) => {
      if (!isReadable) {
        isTooSoon = true
        return
      }
      const answer = parseAnswer(line, id)
      if (answer === undefined) return void printUsage()
      resolve(answer)
      cleanUp()
    })
    lines.once('close', () => {
      cleanUp()
      reject(new Error('the terminal was closed without an answer'))
    })
  })
}
