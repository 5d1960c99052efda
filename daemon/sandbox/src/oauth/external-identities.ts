/** Identities at made-up providers: their tokens, their accounts, and the merge with an account. */
import { ExternalAuthType } from '@sallyport/protocol'
import { OAuthError, PlatformError, type PlatformErrorName } from '../platform-error.ts'
import { defaultUser, type Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredCode, StoredExternalIdentity, StoredUser } from '../store/records.ts'
import { applicationUserKey } from '../store/store.ts'
import { isBanned } from './bans.ts'
import { isIdToken, oidcName } from './oidc-provider.ts'
import { endWrites } from './sign-ins.ts'

/** A text of this form is the token of the user with that name. */
const TOKEN = /^sandbox-external-([A-Za-z0-9][A-Za-z0-9._-]{0,31})$/

/** Names whose token is always refused, to produce every error of the platform. */
const REFUSED: Readonly<Record<string, PlatformErrorName>> = {
  'not-allowed': 'identitiesNotAllowed',
  expired: 'identityExpired',
  'wrong-issuer': 'identityOfOtherIssuer',
  'wrong-audience': 'identityForOthers',
  'too-old': 'identityTooOld',
  'no-username': 'noUsername',
  'no-settings': 'noIdentitySettings',
  'no-keys': 'noIdentityKeys',
  'no-kid': 'identityWithoutKey',
}

/** The identity that is initially linked to the default user, and the one with a banned account. */
const LINKED = 'linked'
const BANNED = 'banned'

interface Identity {
  readonly applicationId: string
  readonly type: ExternalAuthType
  readonly name: string
}

/** Throws the platform's error for an invalid token. */
export function identityOf(platform: Platform, applicationId: string, type: ExternalAuthType, token: string): Identity {
  if (type === 'OIDC' && isIdToken(token)) return { applicationId, type, name: oidcName(platform, applicationId, token) }
  const name = TOKEN.exec(token)?.[1]
  if (name === undefined) throw new PlatformError('identityMalformed')
  const refused = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (refused !== undefined) throw new PlatformError(refused)
  return { applicationId, type, name }
}

/** The stored form of an identity. */
type Named = Pick<StoredExternalIdentity, 'applicationId' | 'type' | 'name'>

const keyOf = ({ applicationId, type, name }: Named): string => `${applicationId}:${type}:${name}`

const stored = ({ applicationId, type, name }: Named, userId: string, linked: boolean): StoredExternalIdentity => ({
  id: keyOf({ applicationId, type, name }),
  applicationId,
  type,
  name,
  userId,
  linked,
})

/** The stored identity; undefined before its first use. */
export const findIdentity = (platform: Platform, identity: Identity): StoredExternalIdentity | undefined =>
  platform.store.externalIdentities.get(keyOf(identity)) ??
  (identity.name === LINKED && !isBanned(platform, defaultUser(platform).id) ? stored(identity, defaultUser(platform).id, true) : undefined)

/** The provisional account of an identity, with the writes that create a missing one. Throws identityLinked for a full account. */
export function provisionalAccount(platform: Platform, identity: Identity): { readonly userId: string; readonly writes: readonly Write[] } {
  const known = findIdentity(platform, identity)
  if (known?.linked === true) {
    const { userId, type, name } = known
    const extra = { user_id: userId, provider_type: type, provider_id: null, provider_issued_user_id: name }
    throw new PlatformError('identityLinked', { extra })
  }
  if (known !== undefined) return { userId: known.userId, writes: [] }
  return newProvisional(platform, identity, identity.name === LINKED ? defaultUser(platform).id : undefined)
}

/** Creates a provisional account that takes over the identity. */
function newProvisional(platform: Platform, identity: Named, restrictedBy?: string) {
  const { store, ids } = platform
  const user = { ...provisionalUser(ids.next(), identity), ...(restrictedBy === undefined ? {} : { restrictedBy }) }
  return {
    userId: user.id,
    writes: [store.users.put(user.id, user), store.externalIdentities.put(keyOf(identity), stored(identity, user.id, false))],
  }
}

/** The writes of a ban: a restricted provisional account for each linked identity. */
export const restrictedWrites = (platform: Platform, bannedId: string): Write[] =>
  platform.store.externalIdentities
    .all()
    .filter(({ linked, userId }) => linked && userId === bannedId)
    .flatMap((identity) => newProvisional(platform, identity, bannedId).writes)

const provisionalUser = (id: string, { applicationId, name }: Named): StoredUser => ({
  id,
  username: `provisional.${id}`,
  globalName: name,
  email: '',
  locale: 'en-US',
  guildTag: null,
  connections: [],
  provisionalFor: applicationId,
})

/**
 * Links the identity of a code exchange to the code's account, and ends its provisional account; no writes
 * without an identity. Throws the platform's error; the code stays valid.
 */
export function mergeWrites(
  platform: Platform,
  form: ReadonlyMap<string, string>,
  { applicationId, userId }: Pick<StoredCode, 'applicationId' | 'userId'>,
): readonly Write[] {
  const token = form.get('external_auth_token')
  const type = ExternalAuthType().safeParse(form.get('external_auth_type'))
  if (token === undefined && !form.has('external_auth_type')) return []
  if (token === undefined || !type.success)
    throw new OAuthError('invalid_request', 'A merge needs a known external_auth_type and an external_auth_token.')
  const { store } = platform
  const identity = identityOf(platform, applicationId, type.data, token)
  if (identity.name === BANNED || isBanned(platform, userId)) throw new PlatformError('mergeBanned')
  if (store.users.get(userId)?.provisionalFor !== undefined) throw new PlatformError('mergeIntoProvisional')
  const known = findIdentity(platform, identity)
  if (known?.linked === true && known.userId !== userId) throw new PlatformError('mergeSourceNotProvisional')
  const restrictedBy = known === undefined ? undefined : store.users.get(known.userId)?.restrictedBy
  if (restrictedBy !== undefined && isBanned(platform, restrictedBy)) throw new PlatformError('mergeBanned')
  const account = applicationUserKey(applicationId, userId)
  if (store.externalIdentities.group(account).some(({ id }) => id !== keyOf(identity))) throw new PlatformError('accountHasIdentity')
  const provisional = known === undefined || known.linked ? [] : store.authorizations.group(applicationUserKey(applicationId, known.userId))
  return [
    ...provisional.flatMap(({ id }) => endWrites(platform, id)),
    store.externalIdentities.put(keyOf(identity), stored(identity, userId, true)),
  ]
}
