/** Signing in on another device: shows address and code, then waits for the answer there. */
import type { SallyportClient, SignedIn } from '@sallyport/client'
import type { Io } from './command.ts'
import { asText } from './text.ts'

/** Signs the connection in; what is shown goes to the person, not to the data. `timeoutMs`: how long the person may take. */
export async function signInOnDevice(client: SallyportClient, scopes: string[], timeoutMs: number, io: Pick<Io, 'say'>): Promise<SignedIn> {
  const { user_code, verification_uri, expires_in } = await client.call('AUTHORIZE_DEVICE', { scopes })
  const minutes = Math.floor(expires_in / 60)
  io.say(`On any device, open ${asText(verification_uri)} and enter the code ${asText(user_code)} within ${minutes} minutes.`)
  const { kept, access_token } = await client.call('GET_TOKEN_FROM_DEVICE', { user_code }, { timeoutMs })
  if (kept !== false) return client.signInSilently()
  return { ...(await client.call('AUTHENTICATE', { access_token })), kept }
}
