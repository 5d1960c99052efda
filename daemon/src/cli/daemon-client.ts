/** Connects a command to the running bridge through the TypeScript binding, and puts its errors into words and exit codes. */
import type { SallyportClient } from '@sallyport/client'
import { SANDBOX_IPC_PREFIX } from '../config/platforms.ts'
import { VERSION } from '../config/version.ts'
import type { Context } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Runs `work` with a connection and ends it. Rejects with CommandFailure for whatever the bridge or its absence causes. */
export async function withBridge<T>(
  { loaded: { settings, origins }, io }: Context,
  work: (client: SallyportClient) => Promise<T>,
): Promise<T> {
  const { CallError, CallTimeout, ConnectionLost, NoServer, ProtocolError, SallyportClient, ServerClosed } = await import(
    '@sallyport/client'
  )
  const client = new SallyportClient({
    applicationId: settings.application,
    ipcPrefix: settings.profile?.ipcPrefix ?? SANDBOX_IPC_PREFIX,
    requireBridge: true,
    reconnect: false,
    sdkVersion: `sallyport-cli/${VERSION}`,
    // Left to its own rule, the client also looks where packaged desktop programs put their sockets.
    ...(origins.runtimeDir === 'default' || io.machine.platform === 'win32' ? {} : { runtimeDir: settings.runtimeDir }),
  })
  try {
    await client.connect()
    return await work(client)
  } catch (failure) {
    if (failure instanceof NoServer) {
      throw new CommandFailure(
        EXIT.noDaemon,
        `No bridge runs in ${settings.runtimeDir}. Start one with: sallyport run`,
        {},
        { cause: failure },
      )
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

/** Signs in with what the bridge keeps for this application, if it keeps anything; a command that needs more is told so by the bridge. */
export async function signInIfKnown(client: SallyportClient): Promise<void> {
  const { CallError } = await import('@sallyport/client')
  try {
    await client.signInSilently()
  } catch (failure) {
    if (!(failure instanceof CallError)) throw failure
  }
}
