/**
 * What is wrong with the data files of a running bridge. A damaged file is moved within its folder, and the bridge goes on with a new one. Any other
 * file that cannot be read stays where it is, and nothing is stored over it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../logger.ts'
import { Signal } from '../signal.ts'
import { DATA_FILES, type DataFile, findSetAside, type SetAside, setAside } from './data-files.ts'

export interface DataProblem {
  readonly name: DataFile
  readonly kind: 'set-aside' | 'unreadable' | 'lost'
  /** Sentences: what happened, and what follows. */
  readonly message: string
  /** A sentence: what the user can do. */
  readonly advice: string
}

interface DataHealthDeps {
  readonly folder: string
  readonly log: Logger
  readonly clock: { now(): number }
}

/** The problem of a damaged file that was moved. */
export function setAsideProblem({ name, path, day }: SetAside): DataProblem {
  const { component, whenNew } = DATA_FILES[name]
  return {
    name,
    kind: 'set-aside',
    message: `${component} was damaged on ${day}. The bridge moved its file to ${path} and began a new one. ${whenNew}`,
    advice: 'Delete the moved file when you do not need it any more.',
  }
}

const messageOf = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure))

export class DataHealth {
  readonly #deps: DataHealthDeps
  /** Of this run, by the name of the file. */
  readonly #own = new Map<DataFile, DataProblem>()
  #aside: readonly SetAside[] | undefined
  /** A file was moved, or could not be read. */
  readonly changed = new Signal()

  constructor(deps: DataHealthDeps) {
    this.#deps = deps
  }

  pathOf(name: DataFile): string {
    return join(this.#deps.folder, name)
  }

  /** Also of earlier runs, until the user deletes the moved file. */
  problems(): readonly DataProblem[] {
    this.#aside ??= findSetAside(this.#deps.folder)
    return [...this.#own.values(), ...this.#aside.filter(({ path }) => existsSync(path)).map(setAsideProblem)]
  }

  problemOf(name: DataFile): DataProblem | undefined {
    return this.problems().find((problem) => problem.name === name)
  }

  /** Moves a damaged file, so that a new one can begin. Throws system errors. */
  setAside(name: DataFile, reason: unknown): void {
    const { log, clock, folder } = this.#deps
    const movedTo = setAside(this.pathOf(name), clock.now())
    this.#aside = findSetAside(folder)
    log.error('data-set-aside', { file: this.pathOf(name), movedTo, err: reason })
    this.changed.emit()
  }

  /** Something else that the user must know. */
  report(problem: DataProblem): void {
    this.#own.set(problem.name, problem)
    this.changed.emit()
  }

  /** A file stays as it is, because it cannot be read now. */
  notRead(name: DataFile, reason: unknown): void {
    this.#deps.log.error('data-not-read', { file: this.pathOf(name), err: reason })
    const message = `${messageOf(reason)} ${DATA_FILES[name].whenUnread}`
    this.report({ name, kind: 'unreadable', message, advice: 'When that is done, start the bridge again.' })
  }
}
