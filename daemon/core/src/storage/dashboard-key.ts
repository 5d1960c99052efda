/** The secret behind the keys of the dashboard's tabs, in a private file: a tab stays admitted when the daemon starts again. */
import { join } from 'node:path'
import { randomToken } from '../os/random-token.ts'
import { Secret } from '../secret.ts'
import { readSmallText, writeSmallFile } from './small-file.ts'

const CHARACTERS = 32

/** The stored secret, or a new one. Throws SERVICE_UNAVAILABLE. */
export function dashboardKey(dataDir: string): Secret<string> {
  const file = join(dataDir, 'dashboard.key')
  const stored = readSmallText(file)
  if (stored?.length === CHARACTERS) return new Secret(stored)
  const key = randomToken()
  writeSmallFile(file, key)
  return new Secret(key)
}
