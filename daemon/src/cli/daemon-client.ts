/** Connects a command to the running bridge through the TypeScript binding, and puts its errors into words and exit codes. */
import { resolve } from 'node:path'
import type { ClientOptions, SallyportClient } from '@sallyport/client'
import { SANDBOX_IPC_PREFIX } from '@sallyport/core/profile'
import { VERSION } from '@sallyport/core/version'
import type { Context, Io } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { kernelCheckedDial, placeOnData, type ServerPlace } from './own-server.ts'

type Work<T> = (client: SallyportClient) => Promise<T>
type Places = Pick<ClientOptions, 'runtimeDir' | 'ipcPrefix' | 'slot'>

/** Whether somebody named the folder of the sockets. On Windows there is none. */
const isFolderNamed = ({ loaded: { origins }, io }: Context): boolean => origins.runtimeDir !== 'default' && io.machine.platform !== 'win32'

/** Runs `work` with a connection and ends it. Rejects with CommandFailure for whatever the bridge or its absence causes. */
export function withBridge<T>(context: Context, work: Work<T>): Promise<T> {
  const { settings } = context.loaded
  return withBridgeAt(context, work, {
    ipcPrefix: settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX,
    // Left to its own rule, the client also looks where packaged desktop programs put their sockets.
    ...(isFolderNamed(context) ? { runtimeDir: settings.runtimeDir } : {}),
  })
}

/** As `withBridge`, but only with the bridge that runs on the user's own data: for what must reach nobody else. */
export async function withBridgeOnData<T>(context: Context, work: Work<T>): Promise<T> {
  return withBridgeAt(context, work, placeOfData(context))
}

function placeOfData(context: Context): ServerPlace {
  const { dataDir, runtimeDir } = context.loaded.settings
  const place = placeOnData(dataDir)
  if (place === undefined) {
    throw new CommandFailure(EXIT.noDaemon, `No bridge runs on the data in ${dataDir}. Start one with: sallyport run`)
  }
  if (isFolderNamed(context) && resolve(runtimeDir) !== place.runtimeDir) {
    const advice = 'Name the folder of its data with --data-dir, or leave --runtime-dir out.'
    throw new CommandFailure(
      EXIT.noDaemon,
      `The bridge on the data in ${dataDir} listens in ${place.runtimeDir}, not in ${runtimeDir}. ${advice}`,
    )
  }
  return place
}

async function withBridgeAt<T>({ loaded: { settings } }: Context, work: Work<T>, places: Places): Promise<T> {
  const binding = await import('@sallyport/client')
  const { CallError, CallTimeout, ConnectionLost, ForeignServer, NoServer, ProtocolError, SallyportClient, ServerClosed } = binding
  const client = new SallyportClient({
    applicationId: settings.application,
    requireBridge: true,
    reconnect: false,
    sdkVersion: `sallyport-cli/${VERSION}`,
    ports: { dial: kernelCheckedDial(binding) },
    ...places,
  })
  try {
    await client.connect()
    return await work(client)
  } catch (failure) {
    if (failure instanceof NoServer) {
      const { cause } = failure
      const why = cause instanceof ForeignServer ? 'No bridge of this user runs in' : 'No bridge runs in'
      const detail = cause instanceof ForeignServer ? ` (${cause.message})` : ''
      const folder = places.runtimeDir ?? settings.runtimeDir
      throw new CommandFailure(EXIT.noDaemon, `${why} ${folder}${detail}. Start one with: sallyport run`, {}, { cause: failure })
    }
    if (failure instanceof CallError) {
      const { code, message, ...rest } = failure.data
      throw new CommandFailure(
        EXIT.refused,
        `${failure.name} (${code}): ${message}`,
        { ...rest, name: failure.name, code, message },
        { cause: failure },
      )
    }
    const isOfConnection = [CallTimeout, ConnectionLost, ProtocolError, ServerClosed].some((kind) => failure instanceof kind)
    if (isOfConnection)
      throw new CommandFailure(EXIT.failed, (failure as Error).message, { name: (failure as Error).name }, { cause: failure })
    throw failure
  } finally {
    await client.close()
  }
}

/** Milliseconds the user has to answer, in the browser or a question of the bridge. */
export const CONSENT_MS = 300_000
/** Longer than any answer without a question takes, on a machine that is not overloaded. */
const ANSWER_MS = 1000
/** A little longer than the bridge waits for the user, so that it is the one who says that nobody answered. */
const QUESTION_MS = CONSENT_MS + 10_000
const WAITING =
  `The bridge has not answered yet. It may be asking whether this command may use the account: answer in the terminal that it runs in, or on its ` +
  `dashboard, within ${CONSENT_MS / 60_000} minutes. Ctrl-C gives up.`

/** Signs in with what the bridge keeps for this application, if it keeps anything; a command that needs more is told so by the bridge. */
export async function signInIfKnown(client: SallyportClient, io: Pick<Io, 'say' | 'after'>): Promise<void> {
  const { CallError } = await import('@sallyport/client')
  const callOff = io.after(ANSWER_MS, () => io.say(WAITING))
  try {
    await client.signInSilently({ timeoutMs: QUESTION_MS })
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure
    // That nothing is stored is no news.
    if (failure.name !== 'INVALID_TOKEN') io.say(`Not signed in: ${failure.data.message}`)
  } finally {
    callOff()
  }
}
