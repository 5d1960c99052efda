/** By what a program is known again when it is counted or was refused: one match is enough, so that touching, renaming or copying its file gains nothing. Pure. */
import { type Program, placeKey, withoutNamespace } from '../../identity/program.ts'

/** Device and inode alone: the times of a file change when it is touched or renamed. */
const nodeOf = (file: string): string => withoutNamespace(file).split(':', 2).join(':')

export function keysOf(program: Program): readonly string[] {
  const { file, digest, session } = program
  // The command line is the same file for whoever starts it: what one of them was refused is not the others' business.
  if (session !== undefined) return [`session ${session}`]
  return [
    placeKey(program),
    ...(file === undefined ? [] : [`file ${nodeOf(file)}`]),
    ...(digest === undefined ? [] : [`content ${digest}`]),
  ]
}

export const isOneOf = (keys: readonly string[], others: readonly string[]): boolean => keys.some((key) => others.includes(key))
