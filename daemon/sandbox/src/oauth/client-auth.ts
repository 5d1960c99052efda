/** Authenticates the client at the token endpoints: its application id, and whether it sent its secret. */
import { isSnowflake } from '../snowflake.ts'
import { OAuthError } from '../platform-error.ts'
import { clientSecretOf } from '../platform.ts'
import type { SandboxRequest } from '../http/exchange.ts'

export interface Client {
  readonly applicationId: string
  readonly confidential: boolean
}

/** Throws invalid_client for a wrong secret or a missing client id, invalid_request for two authentication methods. */
export function authenticateClient(request: SandboxRequest, form: ReadonlyMap<string, string>): Client {
  const basic = basicCredentials(request.headers.authorization)
  if (basic !== undefined && form.has('client_secret'))
    throw new OAuthError('invalid_request', 'Send the client secret with one method only.')
  const applicationId = basic?.id ?? form.get('client_id') ?? ''
  if (basic !== undefined && form.has('client_id') && form.get('client_id') !== basic.id) {
    throw new OAuthError('invalid_request', 'client_id differs from the Authorization header.')
  }
  if (!isSnowflake(applicationId)) throw new OAuthError('invalid_client', 'client_id must be the id of an application.')
  const secret = basic?.secret ?? form.get('client_secret')
  if (secret !== undefined && secret !== clientSecretOf(applicationId)) {
    throw new OAuthError('invalid_client', 'The client secret is wrong. In the sandbox the secret of application N is sandbox-secret-N.')
  }
  return { applicationId, confidential: secret !== undefined }
}

/** Authenticates a client that must send its secret. */
export function authenticateConfidential(request: SandboxRequest, form: ReadonlyMap<string, string>): Client {
  const client = authenticateClient(request, form)
  if (!client.confidential) throw new OAuthError('invalid_client', 'This needs the client secret.')
  return client
}

function basicCredentials(header: string | undefined): { readonly id: string; readonly secret: string } | undefined {
  const encoded = /^basic +(.+)$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    // RFC 6749 §2.3.1: both halves are form-encoded first.
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))
    return { id: decode(id), secret: decode(rest.join(':')) }
  } catch {
    throw new OAuthError('invalid_client', 'The Authorization header cannot be decoded.')
  }
}
