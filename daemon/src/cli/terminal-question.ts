/** Asks questions in the terminal that the daemon runs in, one at a time; only an answer that names its question counts. */
import { createInterface } from 'node:readline'
import type { Clock } from '@sallyport/core/clock'
import type { Confirm, TerminalQuestion } from '@sallyport/core/confirm'

export interface TerminalPorts {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream & { readonly columns?: number }
  /** Asked before each question: a process in the background that reads its terminal is stopped by the system. */
  readonly canRead: () => boolean
  readonly clock: Clock
}

/** What comes sooner after a question was shown was typed before anybody could read it. */
export const READING_MS = 700

const ANSWERS: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false }

export function terminalConfirm(ports: TerminalPorts): Confirm {
  let before: Promise<unknown> = Promise.resolve()
  return (question, signal) => {
    const asked = before.then(() => {
      if (signal.aborted) throw new Error('answered elsewhere')
      if (!ports.canRead()) throw new Error('the terminal belongs to another program now')
      return ask(question, signal, ports)
    })
    before = asked.catch(() => {})
    return asked
  }
}

/** What was read ahead for an earlier question is for no later one. */
function discardBuffered(input: NodeJS.ReadableStream): void {
  while (input.read() !== null) continue
}

/** Undefined when the line is no answer to this question. */
function answerIn(line: string, id: string): boolean | undefined {
  const [named, answer, ...more] = line.trim().toLowerCase().split(/\s+/)
  return named === id && answer !== undefined && more.length === 0 && Object.hasOwn(ANSWERS, answer) ? ANSWERS[answer] : undefined
}

function ask({ id, text }: TerminalQuestion, signal: AbortSignal, { input, output, clock }: TerminalPorts): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sayHow = () => output.write(`Answer with:  ${id} yes   or   ${id} no\n`)
    discardBuffered(input)
    output.write(`\n${text(output.columns || undefined)}\n`)
    sayHow()
    let isReadable = false
    let isTooSoon = false
    const cancelTimer = clock.after(READING_MS, () => {
      isReadable = true
      if (isTooSoon) output.write('What was typed before the question could be read does not count.\n')
      if (isTooSoon) sayHow()
    })
    // Not as a terminal: its raw mode would take Ctrl-C away from the process.
    const lines = createInterface({ input, terminal: false })
    const end = () => {
      signal.removeEventListener('abort', leave)
      cancelTimer()
      lines.close()
    }
    const leave = () => {
      output.write(`\nQuestion ${id} was answered elsewhere, or withdrawn.\n`)
      end()
    }
    signal.addEventListener('abort', leave, { once: true })
    lines.on('line', (line) => {
      if (!isReadable) {
        isTooSoon = true
        return
      }
      const answer = answerIn(line, id)
      if (answer === undefined) return void sayHow()
      resolve(answer)
      end()
    })
    lines.once('close', () => {
      end()
      reject(new Error('the terminal gave no answer'))
    })
  })
}
