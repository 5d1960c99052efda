/** Connects a command to the running bridge via the TypeScript binding, and converts its errors to messages and exit codes. */
import { dirname, resolve } from 'node:path'
import type { ClientOptions, SallyportClient } from '@sallyport/client'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/platform-names'
import { VERSION } from '@sallyport/core/version'
import type { Context, Io } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { withProgress } from './progress.ts'
import { protect } from './protection.ts'
import { verifiedConnect, locationOnData, type ServerLocation } from '../operator/own-server.ts'

type Work<T> = (client: SallyportClient) => Promise<T>
type Location = Pick<ClientOptions, 'runtimeDir' | 'ipcPrefix' | 'slot'>

/** Whether the runtime folder is set explicitly. Never on Windows, which has none. */
const isFolderNamed = ({ loaded: { origins }, io }: Context): boolean => origins.runtimeDir !== 'default' && io.machine.platform !== 'win32'

/** Runs `work` with a connection and closes it. Rejects with CommandFailure if the bridge is missing or returns an error. */
export function withBridge<T>(context: Context, work: Work<T>): Promise<T> {
  return withBridgeAt(context, work, locationOf(context))
}

// Systemd listens for the bridge in a folder below it.
const foldersOf = ({ runtimeDir }: ServerLocation): readonly string[] => [runtimeDir, dirname(runtimeDir)]

/** The bridge of a data folder that is named. Without one, or before it runs: what has a slot, where the client searches. */
function locationOf(context: Context): Location {
  const { settings, origins } = context.loaded
  const onData = origins.dataDir === 'default' ? undefined : locationOnData(settings.dataDir)
  if (onData !== undefined && (!isFolderNamed(context) || foldersOf(onData).includes(resolve(settings.runtimeDir)))) return onData
  return {
    ipcPrefix: settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX,
    // Without it, the client also searches the socket folders of packaged desktop clients.
    ...(isFolderNamed(context) ? { runtimeDir: settings.runtimeDir } : {}),
  }
}

/** `withBridge` only for the bridge that uses this data folder, for secrets that no other server may receive. */
export async function withBridgeOnData<T>(context: Context, work: Work<T>): Promise<T> {
  return withBridgeAt(context, work, locationOfData(context))
}

/** The location of the bridge that uses this data folder. Throws CommandFailure if there is none. */
export function locationOfData(context: Context): ServerLocation {
  const { dataDir, runtimeDir } = context.loaded.settings
  const location = locationOnData(dataDir)
  if (location === undefined) {
    throw new CommandFailure(EXIT.noDaemon, `No bridge is running with the data folder ${dataDir}. Start one with: sallyport run`)
  }
  if (isFolderNamed(context) && !foldersOf(location).includes(resolve(runtimeDir))) {
    const advice = 'Set its data folder with --data-dir, or omit --runtime-dir.'
    throw new CommandFailure(
      EXIT.noDaemon,
      `The bridge with the data folder ${dataDir} listens in ${location.runtimeDir}, not in ${runtimeDir}. ${advice}`,
    )
  }
  return location
}

async function withBridgeAt<T>({ io, loaded: { settings } }: Context, work: Work<T>, location: Location): Promise<T> {
  const binding = await import('@sallyport/client')
  const {
    CallError,
    CallTimeoutError,
    ConnectionLostError,
    ForeignServerError,
    ServerNotFoundError,
    ProtocolError,
    SallyportClient,
    ServerClosedError,
  } = binding
  const client = new SallyportClient({
    applicationId: settings.application,
    requireBridge: true,
    reconnect: false,
    sdkVersion: `sallyport-cli/${VERSION}`,
    environment: { connect: verifiedConnect(binding) },
    ...location,
  })
  try {
    await withProgress(io, 'Connecting to the bridge', () => client.connect())
    // The bridge has identified this process by now, which it cannot do once the process is protected.
    protect(io)
    return await work(client)
  } catch (failure) {
    if (failure instanceof ServerNotFoundError) {
      const { cause } = failure
      const why = cause instanceof ForeignServerError ? 'No bridge of this user is running in' : 'No bridge is running in'
      const detail = cause instanceof ForeignServerError ? ` (${cause.message})` : ''
      const folder = location.runtimeDir ?? settings.runtimeDir
      throw new CommandFailure(EXIT.noDaemon, `${why} ${folder}${detail}. Start one with: sallyport run`, {}, { cause: failure })
    }
    if (failure instanceof CallError) {
      const { code, message, ...rest } = failure.data
      throw new CommandFailure(
        EXIT.refused,
        `${failure.errorName} (${code}): ${message}`,
        { ...rest, name: failure.errorName, code, message },
        { cause: failure },
      )
    }
    const isOfConnection = [CallTimeoutError, ConnectionLostError, ProtocolError, ServerClosedError].some((kind) => failure instanceof kind)
    if (isOfConnection)
      throw new CommandFailure(EXIT.failed, (failure as Error).message, { name: (failure as Error).name }, { cause: failure })
    throw failure
  } finally {
    await client.close()
  }
}

/** Milliseconds that the user has to decide in the browser or in a prompt of the bridge. */
export const CONSENT_MS = 300_000
/** Longer than a response without a prompt takes on an idle machine. */
const RESPONSE_NOTICE_MS = 1000
/** Longer than the bridge waits for the user, so that its error arrives first. */
const SIGN_IN_TIMEOUT_MS = CONSENT_MS + 10_000
const WAITING =
  `The bridge has not responded yet. It may be waiting for your permission to use the account: answer the prompt in the tray, in its terminal ` +
  `or on its dashboard within ${CONSENT_MS / 60_000} minutes (sallyport open). Ctrl-C cancels.`

/** Signs in with the stored grant of the application, if there is one. Commands that need a sign-in fail at the bridge otherwise. */
export async function signInIfStored(client: SallyportClient, io: Pick<Io, 'info' | 'after'>): Promise<void> {
  const { CallError } = await import('@sallyport/client')
  const cancelNotice = io.after(RESPONSE_NOTICE_MS, () => io.info(WAITING))
  try {
    await client.signInSilently({ timeoutMs: SIGN_IN_TIMEOUT_MS })
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure
    // INVALID_TOKEN means that nothing is stored, which is normal.
    if (failure.errorName !== 'INVALID_TOKEN') io.info(`Not signed in: ${failure.data.message}`)
  } finally {
    cancelNotice()
  }
}
