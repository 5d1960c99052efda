/** `sallyport grants`: lists the grants of programs; `grants revoke ID`: revokes one. */
import type { BridgeState } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { requestDashboard } from './dashboard-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { asTable } from './text.ts'

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const rowOf = (grant: BridgeState['grants'][number]) => [
  grant.id,
  grant.program,
  grant.application_name ?? grant.application_id,
  grant.username ?? grant.user_id,
  dayOf(grant.last_used_at),
  grant.basis === 'token' ? `${grant.scopes.join(' ')} (with its own token)` : grant.scopes.join(' '),
]

async function list(context: Context): Promise<void> {
  const { io, loaded } = context
  const { grants, omitted } = (await (await requestDashboard(context, 'GET', '/api/state')).json()) as BridgeState
  if (loaded.settings.json) return io.out(JSON.stringify(grants))
  if (grants.length === 0) return io.out('No program has a grant.')
  io.out(asTable(['ID', 'PROGRAM', 'APPLICATION', 'USER', 'LAST USED', 'SCOPES'], grants.map(rowOf)))
  if (omitted.grants !== undefined) io.info(`And ${omitted.grants} more. Revoke some to see them.`)
}

async function revoke(id: string, context: Context): Promise<void> {
  const { io, loaded } = context
  const { status } = await requestDashboard(context, 'POST', `/api/grants/${encodeURIComponent(id)}/revoke`)
  if (status !== 200) throw new CommandFailure(EXIT.refused, `There is no grant ${id}. List the grants with: sallyport grants`)
  io.out(loaded.settings.json ? JSON.stringify({ revoked: id }) : `Revoked ${id}: its program is signed out and needs a new grant.`)
}

export const grants: Command = {
  name: 'grants',
  summary: 'List the grants of programs, or revoke one.',
  usage: '[revoke ID] [flags]',
  operands: { min: 0, max: 2 },
  flags: ['dataDir', 'config'],
  async run(context) {
    const [verb, id] = context.operands
    if (verb === undefined) await list(context)
    else if (verb === 'revoke' && id !== undefined) await revoke(id, context)
    else throw new SettingsError('Use grants to list the grants, or grants revoke ID to revoke one.')
    return EXIT.ok
  },
}
