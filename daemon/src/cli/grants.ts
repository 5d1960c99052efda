/** `sallyport grants`: lists the grants of programs; `grants revoke ID` revokes one; the other verbs choose what its program gets. */
import { type ArgsOf, type BridgeState, LIMITS } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'
import { asTable } from './text.ts'

type Grant = BridgeState['grants'][number]

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** What the user chose, in the order of the list. */
function notesOf({ basis, denied_scopes: denied = [], presence, lasts }: Grant): readonly string[] {
  return [
    ...(basis === 'token' ? ['with its own token'] : []),
    ...(denied.length === 0 ? [] : [`not ${denied.join(' ')}`]),
    ...(presence === undefined ? [] : [presence === 'hidden' ? 'presence hidden' : 'presence hidden for now']),
    ...(lasts === undefined ? [] : ['for this session']),
  ]
}

function scopesText(grant: Grant): string {
  if (grant.basis === 'blocked') return 'blocked'
  const notes = notesOf(grant)
  return `${grant.basis === 'none' ? 'no grant' : grant.scopes.join(' ')}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

const rowOf = (grant: Grant) => [
  grant.id,
  grant.program,
  grant.application_name ?? grant.application_id,
  grant.username ?? (grant.user_id || '-'),
  dayOf(grant.last_used_at),
  scopesText(grant),
]

async function list(context: Context): Promise<void> {
  const { io, loaded } = context
  const { grants, omitted } = await withBridgeOnData(context, (client) => asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {}))
  if (loaded.settings.json) return io.out(JSON.stringify(grants))
  if (grants.length === 0) return io.out('No program has a grant.')
  io.out(asTable(['ID', 'PROGRAM', 'APPLICATION', 'USER', 'LAST USED', 'SCOPES'], grants.map(rowOf)))
  if (omitted.grants !== undefined) io.info(`And ${omitted.grants} more. Revoke some to see them.`)
}

const noGrant = (id: string): CommandFailure =>
  new CommandFailure(EXIT.refused, `There is no grant ${id}, or its program is blocked. List the grants with: sallyport grants`)

type Action = ArgsOf<'OPERATE_BRIDGE'>['action']

async function operate(context: Context, args: { readonly action: Action; readonly id: string; readonly scopes?: readonly string[] }) {
  const { done } = await withBridgeOnData(context, (client) => asOperator<{ done: boolean }>(client, context, 'OPERATE_BRIDGE', args))
  if (!done) throw noGrant(args.id)
}

async function revoke(id: string, context: Context): Promise<void> {
  const { io, loaded } = context
  await operate(context, { action: 'revoke', id })
  io.out(loaded.settings.json ? JSON.stringify({ revoked: id }) : `Revoked ${id}: its program is signed out and needs a new grant.`)
}

type Verb = Extract<Action, 'block' | 'narrow' | 'hide' | 'hide-now' | 'show' | 'for-session' | 'keep'>

/** What was done, by verb. */
const DONE: Readonly<Record<Verb, (id: string, scopes: readonly string[]) => string>> = {
  block: (id) => `Blocked the program of ${id}: it gets nothing. Lift this with: sallyport grants revoke ${id}`,
  narrow: (id, scopes) => (scopes.length === 0 ? `${id} has all of its scopes again.` : `${id} no longer has: ${scopes.join(', ')}`),
  hide: (id) => `The activities of the program of ${id} are hidden. Show them with: sallyport grants show ${id}`,
  'hide-now': (id) => `The activities of the program of ${id} are hidden until it has left.`,
  show: (id) => `The activities of the program of ${id} are shown.`,
  'for-session': (id) => `${id} ends a minute after its program has left.`,
  keep: (id) => `${id} stays when its program has left.`,
}

const isVerb = (verb: string): verb is Verb => Object.hasOwn(DONE, verb)

async function choose(verb: Verb, id: string, scopes: readonly string[], context: Context): Promise<void> {
  const { io, loaded } = context
  const args = { action: verb, id, ...(verb === 'narrow' ? { scopes } : {}) }
  await operate(context, args)
  io.out(loaded.settings.json ? JSON.stringify(args) : DONE[verb](id, scopes))
}

const VERBS = Object.keys(DONE).join('|')

export const grants: Command = {
  name: 'grants',
  summary: 'List the grants of programs, revoke one, or choose what its program gets.',
  usage: `[revoke ID|narrow ID [SCOPE...]|block ID|hide ID|hide-now ID|show ID|for-session ID|keep ID] [flags]`,
  operands: { min: 0, max: 2 + LIMITS.scopes.value },
  flags: FIND_FLAGS,
  async run(context) {
    const [verb, id, ...scopes] = context.operands
    const hasOne = id !== undefined && (scopes.length === 0 || verb === 'narrow')
    if (verb === undefined) await list(context)
    else if (verb === 'revoke' && hasOne) await revoke(id, context)
    else if (isVerb(verb) && hasOne) await choose(verb, id, scopes, context)
    else
      throw new SettingsError(`Use grants to list the grants, grants revoke ID to revoke one, or grants ${VERBS} ID; narrow takes scopes.`)
    return EXIT.ok
  },
}
