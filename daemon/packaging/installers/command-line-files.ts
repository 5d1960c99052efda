/** The manual page and the completion scripts of the Linux packages, made from the tables of the command line. */
import { VERSION } from '../../core/src/version.ts'
import { CLI_COMMANDS } from '../../src/cli/commands.ts'
import { COMPLETIONS } from '../../src/cli/completion-scripts.ts'
import { manualPage } from '../../src/cli/manual.ts'
import type { PayloadFile } from './payload.ts'

/** Where each system looks, below `/usr/share` and below `~/.local/share`. */
export async function commandLineFiles(): Promise<readonly PayloadFile[]> {
  const commands = await Promise.all([...CLI_COMMANDS.values()].map((load) => load()))
  return [
    { path: 'man/man1/sallyport.1', text: manualPage(commands, VERSION) },
    { path: 'bash-completion/completions/sallyport', text: `${COMPLETIONS.bash(commands)}\n` },
    { path: 'zsh/site-functions/_sallyport', text: `${COMPLETIONS.zsh(commands)}\n` },
    // Where Debian looks.
    { path: 'zsh/vendor-completions/_sallyport', link: '../site-functions/_sallyport' },
    { path: 'fish/vendor_completions.d/sallyport.fish', text: `${COMPLETIONS.fish(commands)}\n` },
  ]
}
