/** `sallyport completion`: prints the script that completes command lines in a shell. */
import { SettingsError } from '../config/settings-error.ts'
import type { Command } from './command.ts'
import { COMPLETIONS, isShell } from './completion-scripts.ts'
import { EXIT } from './exit-codes.ts'

export const completion: Command = {
  name: 'completion',
  summary: 'Print the script that completes command lines: of bash, zsh or fish.',
  usage: 'bash|zsh|fish',
  operands: { min: 1, max: 1 },
  flags: [],
  async run({ table, operands: [shell = ''], io, loaded }) {
    if (!isShell(shell))
      throw new SettingsError('completion knows the shells bash, zsh and fish. Usage: sallyport completion bash|zsh|fish')
    const script = COMPLETIONS[shell](await Promise.all([...table.values()].map((load) => load())))
    io.out(loaded.settings.json ? JSON.stringify({ shell, script }) : script)
    return EXIT.ok
  },
}
