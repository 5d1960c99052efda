/** `sallyport run`: the bridge in the foreground, until it is asked to stop. */
import { ensureDataDir } from '../config/data-dir.ts'
import { checkSocketLength } from '../config/paths.ts'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/profile'
import { addressFile } from '../admin/address-file.ts'
import { refuseUncheckedTls } from '../config/tls-checks.ts'
import type { Compose, ReadyLine } from '../app/bridge-port.ts'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

/** What a person reads once everything listens: where, for what platform, and what to do next. */
export function welcome({ ipc, platform, apiBase, webhooks }: ReadyLine, dashboard: string): string {
  const isSandbox = platform === 'sandbox'
  return [
    `Sallyport is ready. Games reach it at ${ipc.join(' and ')}.`,
    '',
    `  Platform   ${isSandbox ? 'sandbox: offline, with made-up users and guilds' : platform} (${apiBase})`,
    `  Dashboard  ${dashboard}`,
    ...(webhooks === undefined ? [] : [`  Webhooks   ${webhooks}<application id>`]),
    '',
    'Next, in another terminal:',
    ...(isSandbox ? ['  npm run example                                   a small game that signs in, sets presence and chats'] : []),
    '  npm run sallyport -- login                        sign in from the terminal',
    '  npm run sallyport -- call GET_CURRENT_USER_GUILDS one call, as a game would make it',
    '',
    'Ctrl-C stops it.',
  ].join('\n')
}

/** The address with its token for a person alone: a system that keeps what is printed would keep the token for others to read. */
function shownDashboard({ dashboard }: ReadyLine, isWatched: boolean, dataDir: string): string {
  if (dashboard === null) return 'off'
  if (isWatched) return dashboard
  const { origin } = new URL(dashboard)
  return `${origin} (the address with its token stands in ${addressFile(dataDir)})`
}

/** The command over any way to compose a bridge; `load` runs only when the command does. */
export const runCommand = (load: () => Promise<Compose>): Command => ({
  name: 'run',
  summary: 'Run the bridge in the foreground.',
  usage: '[flags]',
  operands: { least: 0, most: 0 },
  flags: [
    'platform',
    'runtimeDir',
    'dataDir',
    'config',
    'logLevel',
    'bridgePort',
    'bridgeOrigins',
    'rpcOrigins',
    'desktopClient',
    'dashboardPort',
    'gateway',
    'gatewayCompress',
    'gatewayObfuscation',
    'webhookPort',
    'webhookPublicKeys',
    'sandboxPort',
    'sandboxSeed',
    'consent',
    'proxy',
    'caFile',
    'vault',
    'botToken',
  ],
  async run({ loaded: { settings }, io }) {
    // Before the vault is opened, or a token comes from anywhere.
    if (!io.harden())
      io.say('This system did not let the bridge close its memory to other programs of the same user; it runs all the same.')
    refuseUncheckedTls(settings.profile, io.machine.env)
    checkSocketLength(settings.runtimeDir, settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX, io.machine.platform)
    ensureDataDir(settings.dataDir)
    const stopped = io.untilStopped()
    const [compose, { pinoLogger }] = await Promise.all([load(), import('@sallyport/core/pino-logger')])
    const bridge = await compose(settings, {
      log: pinoLogger(settings.logLevel),
      announce: (line) => io.say(line),
      // Whoever reads JSON is no person at a terminal.
      ...(io.confirm === undefined || settings.json ? {} : { confirm: io.confirm }),
    })
    io.out(
      settings.json ? JSON.stringify(bridge.ready) : welcome(bridge.ready, shownDashboard(bridge.ready, io.isWatched, settings.dataDir)),
    )
    await stopped
    await bridge.stop()
    return EXIT.ok
  },
})

export const run = runCommand(async () => (await import('../app/bridge.ts')).compose)
