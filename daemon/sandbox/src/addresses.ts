/** Where the sandbox is reached; known before it runs. */
import { BridgeError } from '@sallyport/core/errors'
import { type HeldPort, holdPort } from '@sallyport/core/net/held-port'
import { LOOPBACK } from '@sallyport/core/loopback'

/** Opens the port of the sandbox; 0 for any free port. Rejects with SERVICE_UNAVAILABLE. `onNeeded`: as in HeldServer. */
export async function holdSandboxPort(port: number, onNeeded?: () => void): Promise<HeldPort> {
  try {
    return await holdPort(port, onNeeded)
  } catch (cause) {
    throw portError(port, cause)
  }
}

export function portError(port: number, cause: unknown): BridgeError {
  const { code, message } = cause as NodeJS.ErrnoException
  const why = code === 'EADDRINUSE' ? 'is in use; choose another one, or 0 for any' : `cannot be opened (${code ?? message})`
  return new BridgeError('SERVICE_UNAVAILABLE', `The sandbox's port ${port} ${why}.`, {}, { cause })
}

export const sandboxOrigin = (port: number): string => `http://${LOOPBACK}:${port}`

/** The URLs of its API, as a platform profile has them. */
export const sandboxUrls = (origin: string) => ({
  baseUrl: `${origin}/api/v10`,
  authorizeUrl: `${origin}/oauth2/authorize`,
  tokenUrl: `${origin}/api/v10/oauth2/token`,
  revokeUrl: `${origin}/api/v10/oauth2/token/revoke`,
})
