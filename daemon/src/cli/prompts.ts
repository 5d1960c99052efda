/** `sallyport prompts`: lists what waits for the user; `prompts allow ID` and `prompts deny ID` answer a prompt. */
import type { BridgeState } from '@sallyport/protocol'
import { formatLines } from '../auth/consent/prompt-text.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Command, Context } from './command.ts'
import { withBridgeOnData } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { asOperator } from './operator.ts'

type Waiting = Pick<BridgeState, 'prompts' | 'pages'>
type Verb = 'allow' | 'deny'

const VERBS: ReadonlySet<string> = new Set<Verb>(['allow', 'deny'])
const isVerb = (word: string): word is Verb => VERBS.has(word)

const DONE: Readonly<Record<Verb, string>> = { allow: 'Allowed', deny: 'Denied' }

function textOf({ prompts, pages }: Waiting): string {
  if (prompts.length + pages.length === 0) return 'Nothing waits for you.'
  return [
    ...prompts.map(({ id, title, lines }) => `${title} (prompt ${id})\n${formatLines(lines)}`),
    ...pages.map(({ url, lines }) => `A sign-in goes on in a browser. If none has opened, go to ${url}\n${formatLines(lines)}`),
    ...(prompts.length === 0 ? [] : ['Answer with: sallyport prompts allow ID, or sallyport prompts deny ID']),
  ].join('\n\n')
}

async function list(context: Context): Promise<void> {
  const { io, loaded } = context
  const { prompts, pages } = await withBridgeOnData(context, (client) => asOperator<BridgeState>(client, context, 'WATCH_BRIDGE', {}))
  io.out(loaded.settings.json ? JSON.stringify({ prompts, pages }) : textOf({ prompts, pages }))
}

/** The bridge checks more: who started this command. */
function requireForeground({ io }: Context): void {
  if (io.isAtTerminal()) return
  throw new SettingsError(
    'prompts allow runs only in the foreground of a terminal, because a program must not allow itself. Use the tray, or the dashboard: sallyport open',
  )
}

async function answer(action: Verb, id: string, context: Context): Promise<void> {
  const { io, loaded } = context
  if (action === 'allow') requireForeground(context)
  const args = { action, id }
  const { done } = await withBridgeOnData(context, (client) => asOperator<{ done: boolean }>(client, context, 'OPERATE_BRIDGE', args))
  if (!done) throw new CommandFailure(EXIT.refused, `There is no prompt ${id} now. List what waits with: sallyport prompts`)
  io.out(loaded.settings.json ? JSON.stringify(args) : `${DONE[action]} ${id}.`)
}

export const prompts: Command = {
  name: 'prompts',
  summary: 'List what waits for your answer, and allow or deny it.',
  usage: '[allow ID|deny ID] [flags]',
  operands: { min: 0, max: 2 },
  flags: FIND_FLAGS,
  async run(context) {
    const [verb, id] = context.operands
    if (verb === undefined) await list(context)
    else if (isVerb(verb) && id !== undefined) await answer(verb, id, context)
    else throw new SettingsError('Use prompts, prompts allow ID or prompts deny ID.')
    return EXIT.ok
  },
}
