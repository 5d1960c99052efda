/** The file in which the game stores each call before it makes it, and its end: a game that was killed goes on from there. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Operation, OperationEnd } from './check.ts'

export type Command = 'CREATE_MESSAGE' | 'SEND_LOBBY_MESSAGE'

export interface Intent {
  /** Also the text of the message. */
  readonly id: string
  readonly command: Command
  readonly key: string
}

interface End {
  readonly id: string
  readonly end: Exclude<OperationEnd, 'open'>
  readonly reason?: string
}

/** A process that is killed leaves whole lines, or none: each is one write. */
const append = (file: string, line: Intent | End): void => appendFileSync(file, `${JSON.stringify(line)}\n`)

export const storeIntent = (file: string, intent: Intent): void => append(file, intent)
export const storeEnd = (file: string, end: End): void => append(file, end)

export interface Stored {
  readonly intents: readonly Intent[]
  readonly ends: ReadonlyMap<string, End>
}

export function readIntents(file: string): Stored {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Intent | End)
  return {
    intents: lines.filter((line) => 'key' in line),
    ends: new Map(lines.filter((line) => 'end' in line).map((line) => [line.id, line])),
  }
}

export const openIn = ({ intents, ends }: Stored): readonly Intent[] => intents.filter(({ id }) => !ends.has(id))

export const operationsOf = ({ intents, ends }: Stored): readonly Operation[] =>
  intents.map(({ id, command }) => {
    const { end = 'open', reason } = ends.get(id) ?? {}
    return { id, command, isSentAgain: command === 'CREATE_MESSAGE', end, ...(reason === undefined ? {} : { reason }) }
  })
