/** The platform of a machine, which has no network: the sandbox of a copy of the program, which no package replaces. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnvironment } from '../e2e/support/daemon.ts'
import { elsewhere } from '../e2e/support/elsewhere.ts'
import { type Machine, SHARED } from '../e2e/systemd/machine.ts'
import { Actor } from './actor.ts'

const PORT = 4711
export const ORIGIN = `http://127.0.0.1:${PORT}`
/** Names it to the bridge. */
export const PROFILE = '/home/player/platform.json'
const SOON_MS = 60_000

/** Who plays, in both programs: the client shows the presence of its own user only. */
export interface PlatformUser {
  readonly id: string
  readonly username: string
}

/** Asks the platform for its first user, with an application of its own. */
export function userOf(machine: Machine): PlatformUser {
  const [enter, ...words] = machine.inNetwork
  const entry = join(import.meta.dirname, '../e2e/systemd/platform-entry.ts')
  const node = [process.execPath, '--conditions=sallyport-source', entry, ORIGIN, 'user', 'ada', '888000777']
  return JSON.parse(execFileSync(enter, [...words, ...node], { encoding: 'utf8', env: cleanEnvironment() })) as PlatformUser
}

export async function startPlatform(machine: Machine): Promise<Actor> {
  const words = ['sandbox', '--json', '--consent', 'allow', '--sandbox-port', String(PORT), '--data-dir', '/home/player/.platform']
  const platform = Actor.start('platform', [...machine.as('player'), `${SHARED}/platform`, ...words])
  const ready = await platform.heard(({ event }) => event === 'ready', 0, SOON_MS)
  if (ready === undefined) throw new Error('the platform did not start')
  const { authorizeUrl, tokenUrl } = ready
  machine.write('player', PROFILE, JSON.stringify({ ...elsewhere(ORIGIN), authorizeUrl, tokenUrl, revokeUrl: `${tokenUrl}/revoke` }))
  return platform
}
