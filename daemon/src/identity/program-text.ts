/** Display text of a program, the same everywhere: its kind and its name. Pure. */

import { basename, win32 } from 'node:path'
import { toDisplayName, toDisplayPath } from '@sallyport/core/display-text'
import { modifiedNsOf } from './file-identity.ts'
import { isInterpreter } from './interpreters.ts'
import type { ContainerKind, FileIdentity, Program, ProgramKind } from './program.ts'
import type { Ancestor } from './ancestors.ts'
import { parseSession, type SessionKind } from './terminal-session.ts'
import { prefixOfBridge } from './wine-program.ts'

const INTERPRETER_CHARACTERS = 96

const IN_CONTAINER: Readonly<Record<ContainerKind, (name: string) => string>> = {
  flatpak: (name) => `the Flatpak application ${toDisplayName(name, 128)}`,
  snap: (name) => `the snap ${toDisplayName(name, 128)}`,
  sandbox: (path) => `a program in a sandbox: ${toDisplayPath(path)}`,
  other: (path) => `a program in a container, which calls itself ${toDisplayPath(path)}`,
}

const prefixText = (bridge: string | undefined): string => {
  const prefix = bridge === undefined ? undefined : prefixOfBridge(bridge)
  return prefix === undefined ? '' : ` (prefix ${toDisplayPath(prefix, INTERPRETER_CHARACTERS)})`
}

function unknownText(path: string, interpreter: FileIdentity | undefined): string {
  if (interpreter !== undefined)
    return `because ${toDisplayPath(interpreter.executable, INTERPRETER_CHARACTERS)} runs ${toDisplayPath(path)} and is no known interpreter`
  return isInterpreter(basename(path)) ? `because ${toDisplayPath(path)} runs it` : `seen at ${toDisplayPath(path)}`
}

const BY_KIND: Readonly<Record<ProgramKind, (program: Program, name: string) => string>> = {
  native: (_, path) => toDisplayPath(path),
  script: ({ interpreter }, path) =>
    `a script of ${interpreter === undefined ? 'an interpreter' : toDisplayPath(interpreter.executable, INTERPRETER_CHARACTERS)}: ${toDisplayPath(path)}`,
  container: ({ container = 'other' }, name) => IN_CONTAINER[container](name),
  wine: ({ interpreter }, path) => `a Windows program in Wine${prefixText(interpreter?.executable)}: ${toDisplayPath(path)}`,
  page: (_, origin) => `a page of ${toDisplayPath(origin)}`,
  unknown: ({ interpreter }, path) => `a program that cannot be identified, ${unknownText(path, interpreter)}`,
}

const BY_ANCESTOR: Readonly<Record<Ancestor['kind'], (ancestor: Program, name: string) => string>> = {
  ...BY_KIND,
  root: (_, name) => `${toDisplayName(name)}, run by root`,
  hidden: (_, name) => `a program that cannot be read, which calls itself ${toDisplayName(name)}`,
}

const UNNAMED = 'a program that cannot be named'

const SESSION_TEXT: Readonly<Record<SessionKind, (ancestor: string) => string>> = {
  tty: (terminal) => `in a terminal of ${terminal}`,
  pty: (maker) => `in a terminal made by ${maker}`,
  by: (starter) => `started by ${starter}`,
  none: (starter) => `started by ${starter}`,
}

function sessionText(session: string): string {
  const { kind, ancestor } = parseSession(session)
  if (ancestor === undefined) return SESSION_TEXT[kind](UNNAMED)
  const { executable = '' } = ancestor
  return SESSION_TEXT[kind](BY_ANCESTOR[ancestor.kind](ancestor as Program, executable))
}

const NS_PER_MS = 1_000_000n
const MINUTES = 'YYYY-MM-DDTHH:MM'.length

/** Path and date of Wine's loader: the path may be the same in all versions of a distribution, and the date is that of the build. */
export function loaderText({ executable, file }: FileIdentity): string {
  const date = new Date(Number(modifiedNsOf(file) / NS_PER_MS)).toISOString().slice(0, MINUTES).replace('T', ' ')
  return `${toDisplayPath(executable)} (of ${date} UTC)`
}

const OF_FILE = (path: string): string => toDisplayName(basename(path))
/** Windows programs have paths of Windows on every system. */
const OF_WINDOWS_FILE = (path: string): string => toDisplayName(win32.basename(path).replace(/\.exe$/i, ''))

const NAME_BY_KIND: Readonly<Record<ProgramKind, (name: string) => string>> = {
  native: process.platform === 'win32' ? OF_WINDOWS_FILE : OF_FILE,
  script: OF_FILE,
  container: (name) => (name.includes('/') ? OF_FILE(name) : toDisplayName(name)),
  wine: OF_WINDOWS_FILE,
  page: (origin) => toDisplayName(origin),
  unknown: OF_FILE,
}

/** A short name for people, which is no identity: `programText` says the rest. */
export function programName({ executable, kind, session }: Program): string {
  if (session !== undefined) return 'Sallyport command line'
  return (executable === undefined ? '' : NAME_BY_KIND[kind](executable)) || 'Unknown program'
}

/** One line without terminal control characters. Paths begin with `/` or a drive letter; all else begins with a word. */
export function programText(program: Program): string {
  const { executable, kind, session } = program
  // Its own path is not informative.
  if (session !== undefined) return `the command line of Sallyport, ${sessionText(session)}`
  if (executable !== undefined) return BY_KIND[kind](program, executable)
  return kind === 'container' ? 'a program in a container' : 'a program that cannot be identified'
}
