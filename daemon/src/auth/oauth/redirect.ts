/** The redirect that ends an authorization, however it arrives: the form of its parameters, and the port by which it is awaited. */
import { timingSafeEqual } from 'node:crypto'
import { Secret } from '@sallyport/core/secret'

export type Redirect = (
  | { readonly kind: 'code'; readonly code: Secret<string> }
  | { readonly kind: 'error'; readonly error: string; readonly description: string | undefined }
) & {
  /** Who says that it answers (RFC 9207); undefined where the platform does not say it. */
  readonly issuer: string | undefined
}

export interface RedirectListener {
  readonly redirectUri: string
  /** Resolves with the redirect that carries the right state. Rejects with TRANSACTION_ABORTED when the way to it may have been seen by others. */
  readonly redirect: Promise<Redirect>
  /** Takes no redirect any more; resolves when what it held is free. */
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

/** Takes as long for a near miss as for any other text of the length. */
export function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
