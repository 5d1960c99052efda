/** The table of all commands. Each is loaded when it runs, or for the help. */
import type { CommandTable } from './command.ts'
import { run } from './run.ts'
import { version } from './version.ts'

/** In the order of the help. */
export const CLI_COMMANDS: CommandTable = new Map([
  ['run', async () => run],
  ['sandbox', async () => (await import('./sandbox.ts')).sandbox],
  ['stop', async () => (await import('./stop.ts')).stop],
  ['status', async () => (await import('./status.ts')).status],
  ['metrics', async () => (await import('./metrics.ts')).metrics],
  ['logs', async () => (await import('./logs.ts')).logs],
  ['doctor', async () => (await import('./doctor.ts')).doctor],
  ['inspect', async () => (await import('./inspect.ts')).inspect],
  ['trace', async () => (await import('./trace.ts')).trace],
  ['bugreport', async () => (await import('./bugreport.ts')).bugreport],
  ['record', async () => (await import('./record.ts')).record],
  ['replay', async () => (await import('./replay.ts')).replay],
  ['call', async () => (await import('./call.ts')).call],
  ['login', async () => (await import('./login.ts')).login],
  ['logout', async () => (await import('./logout.ts')).logout],
  ['link', async () => (await import('./link.ts')).link],
  ['grants', async () => (await import('./grants.ts')).grants],
  ['prompts', async () => (await import('./prompts.ts')).prompts],
  ['open', async () => (await import('./open.ts')).open],
  ['games', async () => (await import('./games.ts')).games],
  ['tray', async () => (await import('./tray.ts')).tray],
  ['presence', async () => (await import('./presence.ts')).presence],
  ['callback', async () => (await import('./callback.ts')).callback],
  ['install', async () => (await import('./install.ts')).install],
  ['uninstall', async () => (await import('./install.ts')).uninstall],
  ['wine', async () => (await import('./wine.ts')).wine],
  ['config', async () => (await import('./config.ts')).config],
  ['completion', async () => (await import('./completion.ts')).completion],
  ['version', async () => version],
])
