/** Asks before a recording is played to the user's own bridge. */
import { SettingsError } from '../config/settings-error.ts'
import { requireTerminal } from './at-terminal.ts'
import type { Context } from './command.ts'
import { type Risk, type Survey, surveyText } from './replay-plan.ts'

const ANSWER = 'play'

/** Resolves if the user read the calls and typed the answer, or --yes answers for them. Throws SettingsError otherwise. */
export async function confirmReplay(survey: Survey, allowed: readonly Risk[], context: Context): Promise<void> {
  const { io, loaded } = context
  const { yes, nonInteractive } = loaded.settings
  const calls = `The recording makes these calls with your account and your bridge:\n${surveyText(survey, allowed)}`
  io.info(calls)
  if (!yes && (nonInteractive || io.readLine === undefined || !io.isAtTerminal()))
    throw new SettingsError(
      'The recording was not played: these calls need your answer at a terminal. Play it to a sandbox without --against running, or add --yes.',
    )
  requireTerminal('replay', context)
  if (yes) return
  const answer = await io.readLine?.(`A stranger may have written this file. Type "${ANSWER}" to make these calls: `)
  if (answer?.trim().toLowerCase() !== ANSWER) throw new SettingsError(`The recording was not played, because "${ANSWER}" was not typed.`)
}
