/**
 * Keys that recognise a program that is counted or was refused. One match is enough, so touching, renaming or copying its file does not
 * reset anything. Pure.
 */
import { type Program, programKey, withoutNamespace } from '../../identity/program.ts'

/** Device and inode only: touching or renaming a file changes its times. */
const nodeOf = (file: string): string => withoutNamespace(file).split(':', 2).join(':')

export function recognitionKeysOf(program: Program): readonly string[] {
  const { file, digest, session } = program
  // All starters run the same file of the command line, so a refusal holds for one session only.
  if (session !== undefined) return [`session ${session}`]
  return [
    programKey(program),
    ...(file === undefined ? [] : [`file ${nodeOf(file)}`]),
    ...(digest === undefined ? [] : [`content ${digest}`]),
  ]
}

export const shareKey = (keys: readonly string[], others: readonly string[]): boolean => keys.some((key) => others.includes(key))
