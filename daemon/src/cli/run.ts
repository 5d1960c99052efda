/**
 * `sallyport run`: runs the bridge in the foreground until a stop signal. Opens the ports first, which takes a few milliseconds; the bridge is
 * loaded when a connection sends its first byte (`--preload`).
 */
import { ensureDataDir } from '../config/data-dir.ts'
import { checkSocketLength } from '../config/paths.ts'
import { once } from '@sallyport/core/once'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { SECOND_MS } from '@sallyport/core/durations'
import { dashboardFile, dashboardUrl, readSocketAddress } from '@sallyport/core/storage/daemon-addresses'
import { requireTlsVerification } from '../config/tls-checks.ts'
import { systemClock } from '@sallyport/core/clock'
import { releaseWhenQuiet } from '@sallyport/core/os/release-memory'
import type { Logger } from '@sallyport/core/logger'
import type { LogLevel } from '@sallyport/core/pino-logger'
import type { StartBridge } from '../app/running-bridge.ts'
import { isLogged, type Notice } from '../start/notice.ts'
import { inheritedDescriptors } from '../ipc/transport/inherited.ts'
import { AnotherBridge, openPorts, type OpenPorts, type OpenPortsFor } from '../start/open-ports.ts'
import type { ReadyLine } from '../start/ready-line.ts'
import type { Command, Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { FROM_CLONE } from './own-command.ts'

const EXAMPLE = ['npm run example', 'play a small game that signs in, sets presence and chats'] as const
const STEPS = [
  ['open', 'open the dashboard'],
  ['login', 'sign in from the terminal'],
  ['call GET_CURRENT_USER_GUILDS', 'make one call'],
] as const

/** What a user can type while the bridge runs, and what it does. Nothing for the journal of systemd, where no user types. */
function nextSteps(io: Context['io'], platform: string): readonly string[] {
  // A terminal that systemd started inherits the variable.
  if (!io.isStdoutTerminal && io.machine.env['JOURNAL_STREAM'] !== undefined) return []
  const own = io.ownCommand()
  // The game is in a clone only, and plays in the sandbox.
  const example = own === FROM_CLONE && platform === 'sandbox' ? [EXAMPLE] : []
  const rows = [...example, ...STEPS.map(([words, effect]) => [`${own} ${words}`, effect] as const)]
  const width = Math.max(...rows.map(([words]) => words.length))
  return [
    '',
    'Next, in another terminal:',
    ...rows.map(([words, effect]) => `  ${words.padEnd(width)}  ${effect}`),
    '',
    'Press Ctrl-C to stop.',
  ]
}

/** The text when the bridge is ready: sockets, platform, URLs, and next steps. */
function readyText({ ipc, platform, apiBase, webhooks, metrics }: ReadyLine, dashboard: string, next: readonly string[]): string {
  return [
    `Sallyport is ready. Games connect to ${ipc.join(' and ')}.`,
    '',
    `  Platform   ${platform === 'sandbox' ? 'sandbox: offline, with generated users and guilds' : platform} (${apiBase})`,
    `  Dashboard  ${dashboard}`,
    ...(webhooks === undefined ? [] : [`  Webhooks   ${webhooks}<application id>`]),
    ...(metrics === undefined ? [] : [`  Metrics    ${metrics}`]),
    ...next,
  ].join('\n')
}

/** The one-time address of the dashboard, only on a terminal, because stdout may be stored in a system log. */
function dashboardText({ dashboard }: Pick<OpenPorts, 'dashboard'>, isStdoutTerminal: boolean, dataDir: string): string {
  if (dashboard === undefined) return 'off'
  const address = dashboardUrl(dashboard.held.port, dashboard.code, 'code')
  return isStdoutTerminal ? `${address} (opens once)` : `${new URL(address).origin} (address that opens it: ${dashboardFile(dataDir)})`
}

/** What the command does at its start, and what it loads later. */
interface RunParts {
  readonly openPorts: OpenPortsFor
  readonly loadLogger: () => Promise<(level: LogLevel, dataDir: string) => Logger>
  readonly loadBridge: () => Promise<StartBridge>
}

const FLAGS: Command['flags'] = [
  'platform',
  'runtimeDir',
  'containerFolders',
  'dataDir',
  'config',
  'logLevel',
  'trace',
  'preload',
  'releaseMemory',
  'bridgePort',
  'bridgeOrigins',
  'rpcOrigins',
  'desktopClient',
  'dashboardPort',
  'metrics',
  'otlp',
  'otlpSignals',
  'gateway',
  'gatewayCompress',
  'gatewayObfuscation',
  'webhookPort',
  'webhookPublicKeys',
  'sandbox',
  'sandboxPort',
  'sandboxActivityPort',
  'sandboxSeed',
  'consent',
  'strictArguments',
  'proxy',
  'caFile',
  'vault',
  'botToken',
  'idleExit',
]

export const runCommand = (parts: RunParts): Command => ({
  name: 'run',
  summary: 'Run the bridge in the foreground.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: FLAGS,
  async run(context) {
    const { loaded, io } = context
    const { settings } = loaded
    const protect = once(() => {
      if (!io.harden()) io.info('Warning: the system did not allow the bridge to protect its memory from other programs of the same user.')
    })
    // Games wait for the ports, so they are opened first if no secret is in the settings.
    if (settings.botToken !== undefined || settings.proxies.http !== undefined || settings.proxies.https !== undefined) protect()
    requireTlsVerification(settings.profile, io.machine.env)
    checkSocketLength(settings.runtimeDir, settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX, io.machine.platform)
    ensureDataDir(settings.dataDir)
    // A service manager has opened the socket at that address, which this bridge will serve.
    const known = inheritedDescriptors(io.machine.env, process.pid).length === 0 ? readSocketAddress(settings.dataDir) : undefined
    if (known !== undefined) await (await import('./sole-bridge.ts')).requireSoleBridge(known, settings)
    const stopped = io.untilStopped()
    const ports = await parts
      .openPorts(settings, (text) => io.info(text))
      .catch(async (failure: unknown) => {
        if (!(failure instanceof AnotherBridge)) throw failure
        io.info(failure.message)
        const log = (await parts.loadLogger())(settings.logLevel, settings.dataDir)
        log.info('stopping', { reason: 'another-bridge' })
        return undefined
      })
    if (ports === undefined) return EXIT.ok
    try {
      io.out(
        settings.json
          ? JSON.stringify(ports.ready)
          : readyText(ports.ready, dashboardText(ports, io.isStdoutTerminal, settings.dataDir), nextSteps(io, ports.ready.platform)),
      )
      protect()
      ports.local.preparePeers()
      const { notices } = await ports.openBeside()
      await serve({ context, settings, io, ports, notices: [...ports.notices, ...notices], stopped, ...parts })
    } finally {
      await ports.close()
    }
    return EXIT.ok
  },
})

/** Loaded when the first prompt waits. */
const startTray = (context: Context): void => void import('./start-tray.ts').then((part) => part.startTray(context))

interface Serving extends RunParts {
  readonly context: Context
  readonly settings: Context['loaded']['settings']
  readonly io: Context['io']
  readonly ports: OpenPorts
  readonly notices: OpenPorts['notices']
  readonly stopped: Promise<string>
}

/** Logs what was noticed, then starts the bridge at once, or when a connection needs it. Resolves after the stop signal. */
async function serve({ context, settings, io, ports, notices, stopped, loadLogger, loadBridge }: Serving): Promise<void> {
  const { logLevel, preload, dataDir } = settings
  const logger = once(async () => (await loadLogger())(logLevel, dataDir))
  const write = (log: Logger, some: readonly Notice[]): void => {
    for (const { level, event, fields } of some) log[level](event, fields)
  }
  // The others are for the log file only, which waits until the bridge is loaded.
  const { now = [], later = [] } = Object.groupBy(notices, (notice) => (isLogged(notice, logLevel) ? 'now' : 'later'))
  if (now.length > 0) write(await logger(), now)
  const unneeded = preload === 'on-demand' ? await untilNeeded({ settings, io, ports, stopped }) : undefined
  if (unneeded !== undefined) return (await logger()).info('stopping', unneeded)
  const [startBridge, log] = await Promise.all([loadBridge(), logger()])
  write(log, later)
  const terminal = {
    log,
    announce: (line: string) => io.info(line),
    // With --json, the reader is a program, so there is no prompt.
    ...(io.confirm === undefined || settings.json ? { startTray: () => startTray(context) } : { confirm: io.confirm }),
  }
  try {
    const bridge = await startBridge(settings, terminal, ports)
    if (ports.local.awaitFirstSlot !== undefined) void ports.firstSlot.then(() => log.info('first-slot-free', {}))
    log.info('stopping', await Promise.race([stopped.then(bySignal), bridge.ended.then((reason) => ({ reason }))]))
    await bridge.stop()
  } catch (err) {
    log.error('stopping', { reason: 'error', err })
    throw err
  }
}

interface StopReason {
  readonly reason: 'signal' | 'idle' | 'operator'
  readonly signal?: string
}

const bySignal = (signal: string): StopReason => ({ reason: 'signal', signal })

/** Waits for the first connection. Resolves with the reason to stop at a stop signal, and when none came in the time of `idleExit`. */
async function untilNeeded({
  settings: { idleExit, releaseMemory },
  io,
  ports,
  stopped,
}: Pick<Serving, 'settings' | 'io' | 'ports' | 'stopped'>): Promise<StopReason | undefined> {
  const { promise: idle, resolve } = Promise.withResolvers<void>()
  let cancel = (): void => {}
  let isOver = false
  // In a later slot it would not take the first one when it falls free.
  if (idleExit !== 'off') void ports.firstSlot.then(() => isOver || (cancel = io.after(idleExit * SECOND_MS, resolve)))
  const quiet = releaseWhenQuiet(systemClock)
  if (releaseMemory === 'auto') quiet.start()
  const end = await Promise.race([
    stopped.then(bySignal),
    idle.then((): StopReason => ({ reason: 'idle' })),
    ports.needed.then(() => undefined),
  ])
  isOver = true
  cancel()
  quiet.stop()
  return end
}

export const run = runCommand({
  openPorts,
  loadLogger: async () => (await import('./daemon-logger.ts')).daemonLogger,
  loadBridge: async () => (await import('../app/bridge.ts')).startBridge,
})
