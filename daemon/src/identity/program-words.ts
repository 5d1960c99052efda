/** A program in words for people, the same on every surface: what kind it is, and what it is known by. Pure. */
import { shownName, shownPath } from '@sallyport/core/shown'
import { sessionText } from './terminal-session.ts'
import type { ContainerKind, Program, ProgramKind } from './program.ts'

const INTERPRETER_CHARACTERS = 96

const IN_CONTAINER: Readonly<Record<ContainerKind, (name: string) => string>> = {
  flatpak: (name) => `the Flatpak application ${shownName(name, 128)}`,
  snap: (name) => `the snap ${shownName(name, 128)}`,
  other: (path) => `a program in a container, which calls itself ${shownPath(path)}`,
}

const BY_KIND: Readonly<Record<ProgramKind, (program: Program, name: string) => string>> = {
  native: (_, path) => shownPath(path),
  script: ({ interpreter }, path) =>
    `a script of ${interpreter === undefined ? 'an interpreter' : shownPath(interpreter.executable, INTERPRETER_CHARACTERS)}: ${shownPath(path)}`,
  container: ({ container = 'other' }, name) => IN_CONTAINER[container](name),
  page: (_, origin) => `a page of ${shownPath(origin)}`,
  unknown: (_, path) => `a program that cannot be identified, seen at ${shownPath(path)}`,
}

/** One line without marks that steer a terminal. The paths of programs begin with `/` or a drive; all else begins with a word. */
export function programInWords(program: Program): string {
  const { executable, kind, session } = program
  // Its own path says little.
  if (session !== undefined) return `the command line of Sallyport, ${shownPath(sessionText(session))}`
  if (executable !== undefined) return BY_KIND[kind](program, executable)
  return kind === 'container' ? 'a program in a container' : 'a program that cannot be identified'
}
