/** Sign-in on another device: shows URL and code, then waits for the user. */
import type { SallyportClient, SignedIn } from '@sallyport/client'
import { escapeInvisible } from '@sallyport/core/display-text'
import type { Io } from './command.ts'

/** Signs the connection in. Prints URL and code to stderr. `timeoutMs`: time limit for the user. */
export async function signInOnDevice(
  client: SallyportClient,
  scopes: string[],
  timeoutMs: number,
  io: Pick<Io, 'info'>,
): Promise<SignedIn> {
  const { user_code, verification_uri, expires_in } = await client.call('AUTHORIZE_DEVICE', { scopes })
  const minutes = Math.floor(expires_in / 60)
  const [url, code] = [escapeInvisible(verification_uri), escapeInvisible(user_code)]
  io.info(`On any device, open ${url} and enter the code ${code} within ${minutes} minutes.`)
  const { kept, access_token } = await client.call('GET_TOKEN_FROM_DEVICE', { user_code }, { timeoutMs })
  if (kept !== false) return client.signInSilently()
  return { ...(await client.call('AUTHENTICATE', { access_token })), kept }
}
