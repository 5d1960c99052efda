/** The platform of a machine, which has no network: the sandbox of a copy of the program, which no package replaces. */
import { elsewhere } from '../e2e/support/elsewhere.ts'
import { type Machine, SHARED } from '../e2e/systemd/machine.ts'
import { Actor } from './actor.ts'

const PORT = 4711
export const ORIGIN = `http://127.0.0.1:${PORT}`
/** Names it to the bridge. */
export const PROFILE = '/home/player/platform.json'
const SOON_MS = 60_000

export async function startPlatform(machine: Machine): Promise<Actor> {
  const words = ['sandbox', '--json', '--consent', 'allow', '--sandbox-port', String(PORT), '--data-dir', '/home/player/.platform']
  const platform = Actor.start('platform', [...machine.as('player'), `${SHARED}/platform`, ...words])
  const ready = await platform.heard(({ event }) => event === 'ready', 0, SOON_MS)
  if (ready === undefined) throw new Error('the platform did not start')
  const { authorizeUrl, tokenUrl } = ready
  machine.write('player', PROFILE, JSON.stringify({ ...elsewhere(ORIGIN), authorizeUrl, tokenUrl, revokeUrl: `${String(tokenUrl)}/revoke` }))
  return platform
}
