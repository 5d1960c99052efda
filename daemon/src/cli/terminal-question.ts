/** Asks a yes or no in the terminal that the daemon runs in, one question at a time. */
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

export type Confirm = (text: string, signal: AbortSignal) => Promise<boolean>

const ANSWERS: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false }

/** `canRead` is asked before each question: a process in the background that reads its terminal is stopped by the system. */
export function terminalConfirm(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, canRead: () => boolean): Confirm {
  let before: Promise<unknown> = Promise.resolve()
  return (text, signal) => {
    const asked = before.then(() => {
      if (signal.aborted) throw new Error('answered elsewhere')
      if (!canRead()) throw new Error('the terminal belongs to another program now')
      return ask(text, signal, input, output)
    })
    before = asked.catch(() => {})
    return asked
  }
}

function ask(text: string, signal: AbortSignal, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // Not as a terminal: its raw mode would take Ctrl-C away from the process.
    const lines = createInterface({ input, terminal: false })
    const end = () => {
      signal.removeEventListener('abort', leave)
      lines.close()
    }
    const leave = () => {
      output.write('\nAnswered elsewhere, or withdrawn.\n')
      end()
    }
    const prompt = () => output.write('Allow it? [yes/no] ')
    signal.addEventListener('abort', leave, { once: true })
    lines.on('line', (line) => {
      const answer = ANSWERS[line.trim().toLowerCase()]
      // An empty line may have been typed before anything was asked.
      if (answer === undefined) return prompt()
      resolve(answer)
      end()
    })
    lines.once('close', () => {
      end()
      reject(new Error('the terminal gave no answer'))
    })
    output.write(`\n${text}\n`)
    prompt()
  })
}

const PGRP = 2
const TPGID = 5

/** Whether this process is the one that the terminal listens to. Where that cannot be found out it is taken to be. */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name in parentheses may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[PGRP] === fields[TPGID]
  } catch {
    return true
  }
}
