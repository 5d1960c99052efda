/** What the start of the daemon does not need. Packaging makes it a file of its own, which is read when something here is used. */
import type { Command } from './command.ts'

export const loadLogger = async () => (await import('@sallyport/core/pino-logger')).pinoLogger

export const loadBridge = async () => (await import('../app/bridge.ts')).startBridge

/** The commands besides `run` and `version`. */
export const LATER_COMMANDS = {
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  status: async () => (await import('./status.ts')).status,
  doctor: async () => (await import('./doctor.ts')).doctor,
  inspect: async () => (await import('./inspect.ts')).inspect,
  record: async () => (await import('./record.ts')).record,
  replay: async () => (await import('./replay.ts')).replay,
  call: async () => (await import('./call.ts')).call,
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./logout.ts')).logout,
  link: async () => (await import('./link.ts')).link,
  grants: async () => (await import('./grants.ts')).grants,
  callback: async () => (await import('./callback.ts')).callback,
  install: async () => (await import('./install.ts')).install,
  uninstall: async () => (await import('./install.ts')).uninstall,
  wine: async () => (await import('./wine.ts')).wine,
  completion: async () => (await import('./completion.ts')).completion,
  config: async () => (await import('./config.ts')).config,
} satisfies Record<string, () => Promise<Command>>

export type LaterCommand = keyof typeof LATER_COMMANDS
