/** Binds the consent form to the page that the sandbox rendered, so that no other page can submit it. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CONSENT_PAGE_LIFETIME_MS } from '../constants.ts'
import type { Platform } from '../platform.ts'

const SECRET_NAME = 'consent-proof-key'

/** The hidden fields of a form. `query` is its authorization query. */
interface ConsentFields {
  readonly query: string
  readonly shown_at: string
  readonly proof: string
}

export function proofFields(platform: Platform, query: string): ConsentFields {
  const shownAt = String(platform.clock.now())
  return { query, shown_at: shownAt, proof: proofOf(platform, query, shownAt) }
}

/** The query of a submitted form; undefined for an invalid or expired form. */
export function provenQuery(platform: Platform, form: ReadonlyMap<string, string>): string | undefined {
  const query = form.get('query') ?? ''
  const shownAt = form.get('shown_at') ?? ''
  const expected = Buffer.from(proofOf(platform, query, shownAt))
  const given = Buffer.from(form.get('proof') ?? '')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return platform.clock.now() - Number(shownAt) > CONSENT_PAGE_LIFETIME_MS ? undefined : query
}

const proofOf = (platform: Platform, query: string, shownAt: string): string =>
  createHmac('sha256', proofKey(platform)).update(`${shownAt}\n${query}`).digest('base64url')

/** Stored, so that a page still works after a restart. */
function proofKey({ store, sealer }: Platform): string {
  const stored = sealer.open(store.secrets.get(SECRET_NAME)?.sealed ?? '', SECRET_NAME)
  if (stored !== undefined) return stored
  const value = randomBytes(32).toString('base64url')
  store.commit([store.secrets.put(SECRET_NAME, { sealed: sealer.seal(value, SECRET_NAME) })])
  return value
}
