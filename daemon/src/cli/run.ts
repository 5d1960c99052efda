/** `sallyport run`: runs the bridge in the foreground until a stop signal. */
import { ensureDataDir } from '../config/data-dir.ts'
import { checkSocketLength } from '../config/paths.ts'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/profile'
import { addressFile } from '../admin/address-file.ts'
import { requireTlsVerification } from '../config/tls-checks.ts'
import type { ReadyLine, StartBridge } from '../app/running-bridge.ts'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

/** The text when the bridge is ready: sockets, platform, URLs, and next steps. */
export function readyText({ ipc, platform, apiBase, webhooks }: ReadyLine, dashboard: string): string {
  const isSandbox = platform === 'sandbox'
  return [
    `Sallyport is ready. Games connect to ${ipc.join(' and ')}.`,
    '',
    `  Platform   ${isSandbox ? 'sandbox: offline, with generated users and guilds' : platform} (${apiBase})`,
    `  Dashboard  ${dashboard}`,
    ...(webhooks === undefined ? [] : [`  Webhooks   ${webhooks}<application id>`]),
    '',
    'Next, in another terminal:',
    ...(isSandbox ? ['  npm run example                                   play a small game that signs in, sets presence and chats'] : []),
    '  npm run sallyport -- login                        sign in from the terminal',
    '  npm run sallyport -- call GET_CURRENT_USER_GUILDS make one call',
    '',
    'Press Ctrl-C to stop.',
  ].join('\n')
}

/** The URL of the dashboard, with its token only on a terminal, because stdout may be stored in a system log. */
function dashboardText({ dashboard }: ReadyLine, isStdoutTerminal: boolean, dataDir: string): string {
  if (dashboard === null) return 'off'
  if (isStdoutTerminal) return dashboard
  const { origin } = new URL(dashboard)
  return `${origin} (URL with token: ${addressFile(dataDir)})`
}

/** The command over any way to start a bridge; `load` runs only when the command does. */
export const runCommand = (load: () => Promise<StartBridge>): Command => ({
  name: 'run',
  summary: 'Run the bridge in the foreground.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
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
    'sandboxActivityPort',
    'sandboxSeed',
    'consent',
    'proxy',
    'caFile',
    'vault',
    'botToken',
    'idleExit',
  ],
  async run({ loaded: { settings }, io }) {
    // Before any secret is loaded.
    if (!io.harden()) io.info('Warning: the system did not allow the bridge to protect its memory from other programs of the same user.')
    requireTlsVerification(settings.profile, io.machine.env)
    checkSocketLength(settings.runtimeDir, settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX, io.machine.platform)
    ensureDataDir(settings.dataDir)
    const stopped = io.untilStopped()
    const [startBridge, { pinoLogger }] = await Promise.all([load(), import('@sallyport/core/pino-logger')])
    const bridge = await startBridge(settings, {
      log: pinoLogger(settings.logLevel),
      announce: (line) => io.info(line),
      // With --json, the reader is a program, so there is no prompt.
      ...(io.confirm === undefined || settings.json ? {} : { confirm: io.confirm }),
    })
    io.out(
      settings.json
        ? JSON.stringify(bridge.ready)
        : readyText(bridge.ready, dashboardText(bridge.ready, io.isStdoutTerminal, settings.dataDir)),
    )
    await Promise.race([stopped, bridge.idle])
    await bridge.stop()
    return EXIT.ok
  },
})

export const run = runCommand(async () => (await import('../app/bridge.ts')).startBridge)
