/** `sallyport grants`: what each program may do, and `grants revoke ID`: takes it back. */
import type { DashboardGrant, DashboardSnapshot } from '../admin/snapshot.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { askDashboard } from './dashboard-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { asTable } from './text.ts'

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const rowOf = ({ id, program, applicationName, applicationId, username, userId, scopes, basis, lastUsedAt }: DashboardGrant) => [
  id,
  program,
  applicationName ?? applicationId,
  username ?? userId,
  dayOf(lastUsedAt),
  basis === 'token' ? `${scopes.join(' ')} (with its own token)` : scopes.join(' '),
]

async function list(context: Context): Promise<void> {
  const { io, loaded } = context
  const { grants } = (await (await askDashboard(context, 'GET', '/api/state')).json()) as DashboardSnapshot
  if (loaded.settings.json) io.out(JSON.stringify(grants))
  else if (grants.length === 0) io.out('No program was granted anything.')
  else io.out(asTable(['ID', 'PROGRAM', 'APPLICATION', 'USER', 'LAST USED', 'MAY DO'], grants.map(rowOf)))
}

async function revoke(id: string, context: Context): Promise<void> {
  const { io, loaded } = context
  const { status } = await askDashboard(context, 'POST', `/api/grants/${encodeURIComponent(id)}/revoke`)
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
