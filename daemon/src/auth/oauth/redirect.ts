/** The redirect that ends an authorization: its parameters, and the interface for receiving it. */
import { timingSafeEqual } from 'node:crypto'
import { Secret } from '@sallyport/core/secret'

export type Redirect = (
  | { readonly kind: 'code'; readonly code: Secret<string> }
  | { readonly kind: 'error'; readonly error: string; readonly description: string | undefined }
) & {
  /** The `iss` parameter (RFC 9207); undefined when the platform does not send it. */
  readonly issuer: string | undefined
}

export interface RedirectListener {
  readonly redirectUri: string
  /** Resolves with the redirect with the right state. Rejects with TRANSACTION_ABORTED when another user may have seen the address. */
  readonly redirect: Promise<Redirect>
  /** Stops listening; resolves when its resources are released. */
  close(): Promise<void>
}

/** Undefined when there is neither an error nor exactly one code. */
export function readRedirect(given: URLSearchParams): Redirect | undefined {
  const error = given.get('error')
  const issuer = given.get('iss') ?? undefined
  if (error !== null) return { kind: 'error', error, description: given.get('error_description') ?? undefined, issuer }
  const codes = given.getAll('code')
  const code = codes[0]
  return codes.length === 1 && code !== undefined && code !== '' ? { kind: 'code', code: new Secret(code), issuer } : undefined
}

/** Compares in constant time for texts of equal length. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
