/** By what a program is known again when it is counted or was refused: one match is enough, so that touching, renaming or copying its file gains nothing. Pure. */
import { placeKey, type Program } from '../identity/program.ts'

/** Device and inode alone: the times of a file change when it is touched or renamed. */
const nodeOf = (file: string): string => file.split(':', 2).join(':')

export const keysOf = (program: Program): readonly string[] => [
  placeKey(program),
  ...(program.file === undefined ? [] : [`file ${nodeOf(program.file)}`]),
  ...(program.digest === undefined ? [] : [`content ${program.digest}`]),
]

export const isOneOf = (keys: readonly string[], others: readonly string[]): boolean => keys.some((key) => others.includes(key))
