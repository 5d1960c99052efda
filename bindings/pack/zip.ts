/** Writes and reads ZIP archives. Entries have one date, so that the same files make the same archive. */
import { unzipSync, zipSync } from 'fflate'
import type { Files } from './files.ts'

/** The first date of a ZIP. Its format has local times, without a zone. */
const DATE = new Date(1980, 0, 1)
const MOST = 9
const STORED = 0

interface ZipOptions {
  /** Leaves the files as they are, for programs that read no compressed ones. */
  readonly stored?: boolean
}

/** The archive; entries have the order of the map. */
export const zip = (files: Files, { stored = false }: ZipOptions = {}): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(files), { level: stored ? STORED : MOST, mtime: DATE }))

/** The files of a ZIP, in the order of its directory. */
export const unzip = (bytes: Uint8Array): Files =>
  new Map(Object.entries(unzipSync(bytes)).map(([path, data]) => [path, Buffer.from(data)]))
