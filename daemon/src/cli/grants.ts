/** `sallyport grants`: what each program may do, and `grants revoke ID`: takes it back. */
import { readAddress } from '../dashboard/address-file.ts'
import type { DashboardGrant, DashboardSnapshot } from '../dashboard/snapshot.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { asTable } from './text.ts'

/** Revoking waits for the platform, but not for ever. */
const PATIENCE_MS = 30_000

/** Asks the running bridge over its dashboard: only who may read the user's data folder has the token for it, so no sandboxed game does. */
async function ask({ loaded: { settings } }: Context, method: 'GET' | 'POST', path: string): Promise<Response> {
  const address = readAddress(settings.dataDir)
  const absent = (cause?: unknown) =>
    new CommandFailure(
      EXIT.noDaemon,
      `No bridge with a dashboard runs on the data in ${settings.dataDir}; grants are managed through it. Start one with: sallyport run`,
      {},
      { cause },
    )
  if (address === undefined) throw absent()
  const token = new URLSearchParams(address.hash.slice(1)).get('token') ?? ''
  const headers = { authorization: `Bearer ${token}` }
  let response: Response
  try {
    response = await fetch(new URL(path, address), { method, headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch (failure) {
    if (failure instanceof Error && failure.name === 'TimeoutError') throw new CommandFailure(EXIT.failed, 'The bridge does not answer.')
    throw absent(failure)
  }
  // Another program has the port of a bridge that died.
  if (response.status === 401 || response.status === 403) throw absent()
  if (response.status >= 500) throw new CommandFailure(EXIT.failed, await response.text())
  return response
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const rowOf = ({ id, executable, applicationName, applicationId, username, userId, scopes, basis, lastUsedAt }: DashboardGrant) => [
  id,
  executable ?? '(unknown)',
  applicationName ?? applicationId,
  username ?? userId,
  dayOf(lastUsedAt),
  basis === 'token' ? `${scopes.join(' ')} (with its own token)` : scopes.join(' '),
]

async function list(context: Context): Promise<void> {
  const { io, loaded } = context
  const { grants } = (await (await ask(context, 'GET', '/api/state')).json()) as DashboardSnapshot
  if (loaded.settings.json) io.out(JSON.stringify(grants))
  else if (grants.length === 0) io.out('No program was granted anything.')
  else io.out(asTable(['ID', 'PROGRAM', 'APPLICATION', 'USER', 'LAST USED', 'MAY DO'], grants.map(rowOf)))
}

async function revoke(id: string, context: Context): Promise<void> {
  const { io, loaded } = context
  const { status } = await ask(context, 'POST', `/api/grants/${encodeURIComponent(id)}/revoke`)
  if (status !== 200) throw new CommandFailure(EXIT.refused, `There is no grant ${id}. sallyport grants lists them.`)
  io.out(loaded.settings.json ? JSON.stringify({ revoked: id }) : `Revoked ${id}: its program is signed out and must ask again.`)
}

export const grants: Command = {
  name: 'grants',
  summary: 'List what each program may do; revoke takes it back.',
  usage: '[revoke ID] [flags]',
  operands: { least: 0, most: 2 },
  flags: ['dataDir', 'config'],
  async run(context) {
    const [verb, id] = context.operands
    if (verb === undefined) await list(context)
    else if (verb === 'revoke' && id !== undefined) await revoke(id, context)
    else throw new SettingsError('Say grants to list them, or grants revoke ID to take one back.')
    return EXIT.ok
  },
}
