/** `sallyport sandbox`: runs only the sandbox platform, for games and tools that use its HTTP API directly. */
import { consentingUser, consentMode } from '../config/consent.ts'
import { ensureDataDir } from '../config/data-dir.ts'
import { systemClock } from '@sallyport/core/clock'
import { DataHealth } from '@sallyport/core/storage/data-health'
import { holdSandboxPort } from '@sallyport/sandbox/addresses'
import { openTcpPeers } from '../loopback/tcp-peer.ts'
import type { Command } from './command.ts'
import { EXIT } from './exit-codes.ts'

export const sandbox: Command = {
  name: 'sandbox',
  summary: 'Run only the sandbox platform, without the bridge.',
  usage: '[flags]',
  operands: { min: 0, max: 0 },
  flags: ['sandbox', 'sandboxPort', 'sandboxActivityPort', 'sandboxSeed', 'consent', 'dataDir', 'config', 'logLevel'],
  async run({ loaded: { settings }, io }) {
    ensureDataDir(settings.dataDir)
    const stopped = io.untilStopped()
    const [{ startSandbox }, { pinoLogger, stderrTargets }] = await Promise.all([
      import('@sallyport/sandbox/sandbox'),
      import('@sallyport/core/pino-logger'),
    ])
    const mode = settings.sandbox ?? 'strict'
    const peers = openTcpPeers()
    const log = pinoLogger(stderrTargets(settings.logLevel))
    const platform = await startSandbox({
      held: await holdSandboxPort(settings.sandboxPort),
      activityPort: settings.sandboxActivityPort,
      isOwnPeer: async (socket) => (await peers.ownerOf(socket)) !== 'another-user',
      seed: settings.sandboxSeed,
      mode,
      data: new DataHealth({ folder: settings.dataDir, clock: systemClock, log }),
      autoConsent: consentMode(settings.consent) === 'allow',
      username: consentingUser(settings.consent),
      clock: systemClock,
      log,
    })
    const { baseUrl: apiBase, authorizeUrl, tokenUrl } = platform.profile
    const ready = { event: 'ready', pid: process.pid, platform: 'sandbox', origin: platform.origin, apiBase, authorizeUrl, tokenUrl }
    io.out(
      settings.json
        ? JSON.stringify(ready)
        : `The ${mode} sandbox platform listens on ${platform.origin} (API: ${apiBase}). Press Ctrl-C to stop.`,
    )
    await stopped
    await platform.close()
    return EXIT.ok
  },
}
