/** A file for a target that reads files, in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `path`: not there yet. `close`: removes the folder. */
export function ownFile(name: string): { readonly folder: string; readonly path: string; readonly close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  return { folder, path: join(folder, name), close: () => rmSync(folder, { recursive: true, force: true }) }
}
