/** What the settings of an application in the developer portal allow: its kind, restricted scopes, and its publisher's hierarchy. */
import { OAuthError } from '../platform-error.ts'
import { isApprovedScope } from '../strict/rules.ts'
import type { Platform } from '../platform.ts'
import type { StoredApplication } from '../store/records.ts'

const settingsOf = ({ store }: Platform, applicationId: string): Partial<StoredApplication> => store.applications.get(applicationId) ?? {}

export const isConfidential = (platform: Platform, applicationId: string): boolean =>
  settingsOf(platform, applicationId).isConfidential === true

/** The scopes that an application must be allowed to request, by the setting that allows it. */
const RESTRICTED = {
  /** For approved partners only. */
  'identify.premium': 'mayReadPremium',
  /** For applications that accepted the terms of the social SDK. The scopes of the SDK include it. */
  'relationships.read': 'acceptedTerms',
} as const satisfies Readonly<Record<string, keyof StoredApplication>>

export function maySee(platform: Platform, applicationId: string, scope: keyof typeof RESTRICTED): boolean {
  return settingsOf(platform, applicationId)[RESTRICTED[scope]] === true
}

/**
 * Throws invalid_scope for a scope that the application may not request. A scope that the platform must approve is also for testers of the
 * application; `userId`: who will grant it, undefined if it is not known yet.
 */
export function checkScopes(platform: Platform, applicationId: string, scopes: readonly string[], userId: string | undefined): void {
  const refused = (Object.keys(RESTRICTED) as (keyof typeof RESTRICTED)[]).find(
    (scope) => scopes.includes(scope) && !maySee(platform, applicationId, scope),
  )
  if (refused !== undefined) throw new OAuthError('invalid_scope', `The application may not request the scope ${refused}.`)
  const { approvedScopes = [], testerIds = [] } = settingsOf(platform, applicationId)
  if (userId === undefined ? testerIds.length > 0 : testerIds.includes(userId)) return
  for (const scope of scopes)
    if (isApprovedScope(scope) && !approvedScopes.includes(scope)) platform.strictness.refuse('scope-approval', applicationId, scope)
}

/** Whether the application may request the scope from every user. Remembers nothing. */
export function mayRequest(platform: Platform, applicationId: string, scope: string): boolean {
  if (Object.hasOwn(RESTRICTED, scope)) return maySee(platform, applicationId, scope as keyof typeof RESTRICTED)
  const { approvedScopes = [] } = settingsOf(platform, applicationId)
  return !platform.strictness.isStrict || !isApprovedScope(scope) || approvedScopes.includes(scope)
}

/** Redirects of an application: those that it registered, or those of loopback and of its default scheme. */
export const redirectsOf = (platform: Platform, applicationId: string): readonly string[] | undefined =>
  settingsOf(platform, applicationId).redirectUris

/** Whether the publisher's approved parent has this child. Both are public, or both confidential. */
export const isChildOf = (platform: Platform, childId: string, parentId: string): boolean =>
  settingsOf(platform, childId).parentId === parentId &&
  settingsOf(platform, parentId).mayLinkPublisher === true &&
  isConfidential(platform, childId) === isConfidential(platform, parentId)

/** Whether one application is the other, its parent, its child, or a child of the same parent. */
export function areRelated(platform: Platform, one: string, other: string): boolean {
  const familyOf = (id: string): string => {
    const { parentId } = settingsOf(platform, id)
    return parentId !== undefined && isChildOf(platform, id, parentId) ? parentId : id
  }
  return familyOf(one) === familyOf(other)
}
