/** `sallyport presence`: whether activities are shown; `presence pause` hides them, `presence resume` shows them again. */
import type { ArgsOf, BridgeState } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Command } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'

const ACTIONS: Readonly<Record<string, ArgsOf<'OPERATE_BRIDGE'>['action']>> = { pause: 'pause-presence', resume: 'resume-presence' }

export const presence: Command = {
  name: 'presence',
  summary: 'Show whether activities are shown, hide them (pause), or show them again (resume).',
  usage: '[pause|resume] [flags]',
  operands: { min: 0, max: 1 },
  flags: FIND_FLAGS,
  async run(context) {
    const { io, loaded, operands } = context
    const [verb] = operands
    const action = verb === undefined ? undefined : ACTIONS[verb]
    if (verb !== undefined && action === undefined) throw new SettingsError('Use presence, presence pause or presence resume.')
    const { presence_paused: isPaused } = await withBridgeOnData(context, async (client) => {
      if (action !== undefined) await asOperator(client, context, 'OPERATE_BRIDGE', { action })
      return asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {})
    })
    if (loaded.settings.json) io.out(JSON.stringify({ paused: isPaused }))
    else io.out(isPaused ? 'Presence is paused: no activity is shown. Show it again with: sallyport presence resume' : 'Presence is shown.')
    return EXIT.ok
  },
}
