/** The files of the data folder whose loss the bridge survives: what each holds, and what is different without it. Names of damaged ones. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

interface DataFileFacts {
  /** The subject of a sentence. */
  readonly component: string
  /** What follows when the file is new. */
  readonly whenNew: string
  /** What follows while the file cannot be read. */
  readonly whenUnread: string
}

export const DATA_FILES = {
  'grants.sqlite': {
    component: 'The list of grants',
    whenNew:
      'The bridge asks about each program again. What choices.json lists stays: blocked programs, hidden games, and where games are shown.',
    whenUnread:
      'Until then the bridge asks about each program again, and forgets the answers when it ends. What choices.json lists stays: blocked programs, hidden games, and where games are shown.',
  },
  'choices.json': {
    component: 'The second list of blocked programs and hidden games',
    whenNew: 'The bridge took it from the list of grants.',
    whenUnread: 'Until then the list of grants alone says what is blocked and hidden, and where games are shown.',
  },
  'calls.sqlite': {
    component: 'The list of calls with a key',
    whenNew: 'A call that a game repeats after a broken connection may take effect a second time.',
    whenUnread: 'Until then calls with a key are refused.',
  },
  'history.sqlite': {
    component: 'The history of direct messages',
    whenNew: 'Games get messages from the platform again.',
    whenUnread: 'Until then games get messages from the platform, and none are stored.',
  },
  'launches.sqlite': {
    component: 'The list of launch commands',
    whenNew: 'Games register their launch commands again, and the bridge asks before it starts one.',
    whenUnread: 'Until then the bridge starts no games.',
  },
  'sandbox.sqlite': {
    component: 'The data of the sandbox',
    whenNew: 'The sandbox has its first users and guilds again, and games sign in again.',
    whenUnread: 'Until then the sandbox does not start.',
  },
} as const satisfies Readonly<Record<string, DataFileFacts>>

export type DataFile = keyof typeof DATA_FILES

/** Files that SQLite makes beside a database, with its permissions. */
export const COMPANIONS = ['-wal', '-shm', '-journal']

/** A damaged file that was moved, and the day on which that happened. */
export interface SetAside {
  readonly name: DataFile
  readonly path: string
  /** `2026-11-28`, in UTC. */
  readonly day: string
}

const MARK = '.damaged-'
const STAMP = /^(\d{4})(\d{2})(\d{2})T\d{6}Z(?:\.\d+)?$/

const stampOf = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/**
 * Renames a file and its companions in their folder: `grants.sqlite` is then `grants.sqlite.damaged-20261128T041325Z`. Replaces nothing. Returns
 * the new path. Throws system errors.
 */
export function setAside(file: string, now: number): string {
  const base = `${file}${MARK}${stampOf(now)}`
  const endings = ['', ...COMPANIONS]
  const isTaken = (path: string): boolean => endings.some((ending) => existsSync(`${path}${ending}`))
  let path = base
  for (let count = 2; isTaken(path); count++) path = `${base}.${count}`
  for (const ending of endings) if (existsSync(`${file}${ending}`)) renameSync(`${file}${ending}`, `${path}${ending}`)
  return path
}

/** Removes a database and its companions. Throws system errors. */
export function removeDatabase(file: string): void {
  // The companions first: without the file they belong to nothing.
  for (const ending of [...COMPANIONS, '']) rmSync(`${file}${ending}`, { force: true })
}

/** None while the folder cannot be read: what asks can say nothing about it, and goes on. */
function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The damaged files that are still in the folder, the oldest first. */
export function findSetAside(folder: string): readonly SetAside[] {
  const names = Object.keys(DATA_FILES) as readonly DataFile[]
  return entriesOf(folder)
    .toSorted()
    .flatMap((entry): readonly SetAside[] => {
      const name = names.find((one) => entry.startsWith(`${one}${MARK}`))
      const [, year, month, day] = (name && STAMP.exec(entry.slice(name.length + MARK.length))) ?? []
      return name === undefined || day === undefined ? [] : [{ name, path: join(folder, entry), day: `${year}-${month}-${day}` }]
    })
}
