/** Signs in to the sandbox without a page and without the bridge, as the backend of a game does. */
import { DEFAULT_COMMUNICATION_SCOPES } from '@sallyport/client'
import { ALL_SCOPES, setApplication } from './application-settings.ts'

const REDIRECT = 'http://127.0.0.1:5173/callback'

export interface TokenPlace {
  readonly authorizeUrl: string
  readonly tokenUrl: string
}

/** An access token of a user of the sandbox for an application. The sandbox must allow by itself (`--consent allow`). */
export async function sandboxToken(
  { authorizeUrl, tokenUrl }: TokenPlace,
  username: string,
  applicationId: string,
  scopes: readonly string[] = DEFAULT_COMMUNICATION_SCOPES,
): Promise<string> {
  await setApplication(new URL(authorizeUrl).origin, applicationId, ALL_SCOPES)
  const query = { client_id: applicationId, response_type: 'code', scope: scopes.join(' '), redirect_uri: REDIRECT, login_hint: username }
  const leads = await fetch(`${authorizeUrl}?${new URLSearchParams(query).toString()}`, { redirect: 'manual' })
  const code = new URL(leads.headers.get('location') ?? REDIRECT).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, client_id: applicationId, client_secret: `sandbox-secret-${applicationId}` }
  const answer = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams({ ...form, redirect_uri: REDIRECT }) })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`the sandbox gives no token of ${username} for ${applicationId}`)
  return token
}
