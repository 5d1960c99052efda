/** The inputs that are kept: for each target one file of lines, each an input in base64. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'corpus')
/** Of the file of a target. */
const MAX_CHARACTERS = 24_000

const fileOf = (name: string): string => join(FOLDER, `${name}.txt`)

export function readCorpus(name: string): readonly Buffer[] {
  if (!existsSync(fileOf(name))) return []
  const lines = readFileSync(fileOf(name), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => Buffer.from(line, 'base64'))
}

/** Keeps the smallest first, as far as they fit. */
export function writeCorpus(name: string, inputs: readonly Uint8Array[]): void {
  let text = ''
  for (const input of inputs.toSorted((a, b) => a.length - b.length)) {
    const line = `${Buffer.from(input).toString('base64')}\n`
    if (text.length + line.length <= MAX_CHARACTERS) text += line
  }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(fileOf(name), text)
}
