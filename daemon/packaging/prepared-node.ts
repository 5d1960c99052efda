/** The Node of a target as it goes into the executable: checked, then without symbols (Linux), or with our icon and version (Windows). */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Target } from './base-node.ts'
import { stripElf } from './elf-strip.ts'
import { ICONS } from './icons.ts'
import { withResources } from './windows-resources.ts'

export interface PreparedNodeOptions {
  readonly target: Target
  /** The checked binary. */
  readonly node: string
  /** A folder for the result. */
  readonly folder: string
  /** Of the program. */
  readonly version: string
}

/** Resolves with the path of a binary for the target. Changes before the program is added; later ones would damage the executable. */
export async function preparedNode({ target, node, folder, version }: PreparedNodeOptions): Promise<string> {
  if (target.platform === 'macos') return node
  const original = await readFile(node)
  const prepared =
    target.platform === 'linux'
      ? stripElf(original)
      : withResources(original, {
          version,
          fileName: 'sallyport.exe',
          description: 'Sallyport, bridge between games and a platform',
          icon: await readFile(ICONS.ico),
        })
  const output = join(folder, `node-${target.name}${target.extension}`)
  await writeFile(output, prepared, { mode: 0o755 })
  return output
}
