/** A bridge with the sandbox of its own, for one recording or one call of a report. It starts no program, sends to no other address, and is removed afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinoLogger } from '@sallyport/core/pino-logger'
import { startBridge } from '../app/bridge.ts'
import type { AnswerRequests } from '../app/running-bridge.ts'
import { ensureDataDir } from '../config/data-dir.ts'
import { loadSettings } from '../config/load.ts'
import { type Machine, runtimeDir } from '../config/paths.ts'
import type { SandboxMode } from '@sallyport/sandbox/strict/strictness'
import { openPorts } from '../start/open-ports.ts'

/** Not those of the user: neither their settings file, nor their variables, decide anything here but the mode of the sandbox. */
const FLAGS = {
  platform: 'sandbox',
  consent: 'allow',
  vault: 'file',
  desktopClient: 'off',
  dashboardPort: 'off',
  containerFolders: 'off',
  releaseMemory: 'off',
  logLevel: 'silent',
} as const

export interface OwnSandbox extends AsyncDisposable {
  /** The address of its socket. */
  readonly address: string
}

interface SandboxOptions {
  /** As the platform was that the recording comes from, `relaxed` where nothing is said. */
  readonly mode?: SandboxMode | undefined
  /** Answers requests in place of the sandbox; its calls are traced. */
  readonly answer?: AnswerRequests
}

export async function startOwnSandbox(
  { platform }: Pick<Machine, 'platform'>,
  { mode = 'relaxed', answer }: SandboxOptions,
): Promise<OwnSandbox> {
  await using scope = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'sallyport-replay-'))
  scope.defer(() => rm(home, { recursive: true, force: true }))
  const machine: Machine = { platform, env: { XDG_RUNTIME_DIR: join(home, 'run'), LOCALAPPDATA: home, APPDATA: home }, home }
  const { settings } = loadSettings(
    {
      ...FLAGS,
      sandbox: mode,
      trace: answer === undefined ? 'off' : 'on',
      runtimeDir: runtimeDir(machine),
      dataDir: join(home, 'data'),
    },
    machine,
  )
  ensureDataDir(settings.dataDir)
  const ports = await openPorts(settings, () => {})
  scope.defer(() => ports.close())
  const bridge = await startBridge({ ...settings, isIsolated: true }, { log: pinoLogger([]), announce: () => {} }, ports, answer)
  scope.defer(() => bridge.stop())
  const [address = ''] = ports.ready.ipc
  const running = scope.move()
  return { address, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
