/** Where prompts are displayed besides the dashboard: as a prompt in the daemon's terminal, or as a notice in its output. */
import type { Confirm } from '@sallyport/core/confirm'
import { promptText } from './prompt-text.ts'
import type { PromptDisplay } from './consent-prompts.ts'

interface PromptDisplayDeps {
  /** Prints text for the user. */
  readonly announce: (text: string) => void
  /** Prompts in the terminal; absent when there is none. */
  readonly confirm?: Confirm
}

export function promptDisplays({ announce, confirm }: PromptDisplayDeps, isListShown: boolean): readonly PromptDisplay[] {
  if (confirm !== undefined) return [(prompt, signal) => confirm({ id: prompt.id, text: (columns) => promptText(prompt, columns) }, signal)]
  if (!isListShown) return []
  const notify: PromptDisplay = (prompt) => {
    announce(`${promptText(prompt)}\nAllow or deny it on the dashboard.`)
    // The answer comes from the dashboard.
    return new Promise(() => {})
  }
  return [notify]
}
