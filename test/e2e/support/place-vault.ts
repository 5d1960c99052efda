/** A vault whose key no keychain has, so that reading it asks the keychain. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Folders } from './daemon.ts'

export function placeVault({ data }: Pick<Folders, 'data'>): void {
  const folder = join(data, 'vault')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileSync(join(folder, 'tokens.sealed'), Buffer.concat([Buffer.from('SPV2'), Buffer.alloc(64)]), { mode: 0o600 })
}
