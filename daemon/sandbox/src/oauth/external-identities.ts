/** Identities at made-up providers: the tokens that stand for them, the accounts behind them, and the merge of the two. */
import { ExternalAuthType } from '@sallyport/protocol'
import { OAuthError, PlatformError, type PlatformErrorName } from '../platform-error.ts'
import { defaultUser, type Platform } from '../platform.ts'
import type { Write } from '../store/collection.ts'
import type { StoredCode, StoredExternalIdentity, StoredUser } from '../store/records.ts'
import { userOfApplication } from '../store/store.ts'
import { isBanned } from './bans.ts'
import { isIdToken, oidcName } from './oidc-provider.ts'
import { endWrites } from './sign-ins.ts'

/** Any text of this form is the token of a user of that name. */
const TOKEN = /^sandbox-external-([A-Za-z0-9][A-Za-z0-9._-]{0,31})$/

/** Names whose token is always refused, to reach every answer of the platform. */
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

/** The identity that is linked to the default user from the start, and the one whose account is banned. */
const LINKED = 'linked'
const BANNED = 'banned'

export interface Identity {
  readonly applicationId: string
  readonly type: ExternalAuthType
  readonly name: string
}

/** Throws the platform's refusal for a token that stands for nobody. */
export function identityOf(platform: Platform, applicationId: string, type: ExternalAuthType, token: string): Identity {
  if (type === 'OIDC' && isIdToken(token)) return { applicationId, type, name: oidcName(platform, applicationId, token) }
  const name = TOKEN.exec(token)?.[1]
  if (name === undefined) throw new PlatformError('identityMalformed')
  const refused = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (refused !== undefined) throw new PlatformError(refused)
  return { applicationId, type, name }
}

/** The same as it is stored. */
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

/** What is known of an identity; undefined before its first use. */
export const findIdentity = (platform: Platform, identity: Identity): StoredExternalIdentity | undefined =>
  platform.store.externalIdentities.get(keyOf(identity)) ??
  (identity.name === LINKED && !isBanned(platform, defaultUser(platform).id) ? stored(identity, defaultUser(platform).id, true) : undefined)

/** The provisional account of an identity, and what makes it when there is none yet. Throws identityLinked when it has a full one. */
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

/** A provisional account that takes over the identity from whatever had it. */
function newProvisional(platform: Platform, identity: Named, restrictedBy?: string) {
  const { store, ids } = platform
  const user = { ...provisionalUser(ids.next(), identity), ...(restrictedBy === undefined ? {} : { restrictedBy }) }
  return {
    userId: user.id,
    writes: [store.users.put(user.id, user), store.externalIdentities.put(keyOf(identity), stored(identity, user.id, false))],
  }
}

/** What a ban leaves behind: a restricted provisional account for each identity that was linked to the banned account. */
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
 * What links the identity that a code exchange names to the account behind the code, and ends its provisional account; nothing when it
 * names none. Throws the platform's refusal, upon which the code stays good.
 */
export function mergeWrites(
  platform: Platform,
  form: ReadonlyMap<string, string>,
  { applicationId, userId }: Pick<StoredCode, 'applicationId' | 'userId'>,
): readonly Write[] {
  const token = form.get('external_auth_token')
  const type = ExternalAuthType.safeParse(form.get('external_auth_type'))
  if (token === undefined && !form.has('external_auth_type')) return []
  if (token === undefined || !type.success)
    throw new OAuthError('invalid_request', 'A merge needs external_auth_type, one of those known, and external_auth_token.')
  const { store } = platform
  const identity = identityOf(platform, applicationId, type.data, token)
  if (identity.name === BANNED || isBanned(platform, userId)) throw new PlatformError('mergeBanned')
  if (store.users.get(userId)?.provisionalFor !== undefined) throw new PlatformError('mergeIntoProvisional')
  const known = findIdentity(platform, identity)
  if (known?.linked === true && known.userId !== userId) throw new PlatformError('mergeSourceNotProvisional')
  const restrictedBy = known === undefined ? undefined : store.users.get(known.userId)?.restrictedBy
  if (restrictedBy !== undefined && isBanned(platform, restrictedBy)) throw new PlatformError('mergeBanned')
  const account = userOfApplication(applicationId, userId)
  if (store.externalIdentities.group(account).some(({ id }) => id !== keyOf(identity))) throw new PlatformError('accountHasIdentity')
  const provisional = known === undefined || known.linked ? [] : store.authorizations.group(userOfApplication(applicationId, known.userId))
  return [
    ...provisional.flatMap(({ id }) => endWrites(platform, id)),
    store.externalIdentities.put(keyOf(identity), stored(identity, userId, true)),
  ]
}
