/** The check of `sallyport doctor` about the files of the data folder: damaged, moved, unreadable, or of a newer version. */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import { DATA_FILES, type DataFile, findSetAside } from '@sallyport/core/storage/data-files'
import { setAsideProblem } from '@sallyport/core/storage/data-health'
import { assertKnownFormat } from '@sallyport/core/storage/folder-format'
import { inspectDatabase } from '@sallyport/core/storage/inspect'
import { newerData } from '@sallyport/core/storage/newer-data'
import { isDamage } from '@sallyport/core/storage/sqlite'
import { MIGRATIONS as SANDBOX } from '@sallyport/sandbox/store/sqlite'
import { assertPrivate } from '@sallyport/core/storage/safe-folder'
import { readChoices } from '../auth/grants/choice-file.ts'
import { MIGRATIONS as GRANTS } from '../auth/grants/store.ts'
import { vaultFormatProblem } from '../auth/vault/encrypted-file.ts'
import { MIGRATIONS as HISTORY } from '../events/messages/message-table.ts'
import { MIGRATIONS as CALLS } from '../sessions/keys/key-table.ts'
import { MIGRATIONS as LAUNCHES } from '../social/launch/store.ts'
import type { Settings } from '../config/load.ts'
import { type RunningState } from './doctor-bridge.ts'
import { type Finding, found, messageOf } from './doctor-finding.ts'

/** The format version of each database that this program writes. */
const FORMATS: Readonly<Record<Exclude<DataFile, 'choices.json'>, number>> = {
  'calls.sqlite': CALLS.length,
  'grants.sqlite': GRANTS.length,
  'history.sqlite': HISTORY.length,
  'launches.sqlite': LAUNCHES.length,
  'sandbox.sqlite': SANDBOX.length,
}

const NEXT = 'The bridge sets it aside at its next use, and goes on with a new one.'

/** What is wrong with one database, as sentences. */
function problemOf(name: keyof typeof FORMATS, folder: string): string | undefined {
  const file = join(folder, name)
  const { component, whenNew, whenUnread } = DATA_FILES[name]
  const facts = lstatSync(file, { throwIfNoEntry: false })
  if (facts === undefined) return undefined
  try {
    assertPrivate(file, 'file', facts)
    const format = inspectDatabase(file, folder)
    return format > FORMATS[name] ? newerData(`${component} cannot use its data file ${file}`, format, FORMATS[name]).message : undefined
  } catch (failure) {
    if (isDamage(failure)) return `${component} is damaged: ${file} (${messageOf(failure)}). ${NEXT} ${whenNew}`
    return `${messageOf(failure)} ${whenUnread}`
  }
}

function choicesProblem(folder: string): string | undefined {
  const file = join(folder, 'choices.json')
  try {
    return readChoices(file) === 'damaged' ? `${DATA_FILES['choices.json'].component} is damaged: ${file}. ${NEXT}` : undefined
  } catch (failure) {
    return `${messageOf(failure)} ${DATA_FILES['choices.json'].whenUnread}`
  }
}

function formatProblem(folder: string): string | undefined {
  try {
    assertKnownFormat(folder)
    return undefined
  } catch (failure) {
    return messageOf(failure)
  }
}

const asideProblems = (folder: string): readonly string[] =>
  findSetAside(folder)
    .map(setAsideProblem)
    .map(({ message, advice }) => `${message} ${advice}`)

/** A running bridge has the databases for itself, and reports in its state what it could not use. */
export function checkDataFiles({ dataDir }: Pick<Settings, 'dataDir'>, running: RunningState): Finding {
  if (!existsSync(dataDir)) return found('data files', 'ok', 'There is no data yet.')
  try {
    const isOpen = running !== 'none'
    const names = Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[]
    const databases = isOpen ? [] : names.map((name) => problemOf(name, dataDir))
    const others = [formatProblem(dataDir), vaultFormatProblem(dataDir), choicesProblem(dataDir)]
    const problems = [...[...others, ...databases].filter((problem) => problem !== undefined), ...asideProblems(dataDir)]
    if (problems.length > 0) return found('data files', 'wrong', problems.join(' '))
    if (running === 'silent') return found('data files', 'not checked', 'A bridge has them open, and does not send its state.')
    return found('data files', 'ok', isOpen ? 'The running bridge can use all of them.' : 'All of them are whole.')
  } catch (failure) {
    return found('data files', 'not checked', `They could not be looked at: ${messageOf(failure)}`)
  }
}
