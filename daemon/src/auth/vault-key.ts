/** The vault key of an account on a platform, and the way back. The text is stable between versions and holds no secret. */
import type { TokenAccount } from './auth.ts'

const MARK = 'account'

export const vaultKeyOf = (platform: string, { applicationId, uid, userId }: TokenAccount): string =>
  JSON.stringify([platform, MARK, applicationId, uid ?? null, userId])

function partsOf(platform: string, key: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(key)
    return Array.isArray(parts) && parts[0] === platform ? parts : []
  } catch {
    return []
  }
}

/** Undefined for keys of other platforms and other formats. */
export function accountOfVaultKey(platform: string, key: string): TokenAccount | undefined {
  const parts = partsOf(platform, key)
  const [, mark, applicationId, uid, userId] = parts
  if (parts.length !== 5 || mark !== MARK || typeof applicationId !== 'string' || typeof userId !== 'string') return undefined
  return { applicationId, uid: typeof uid === 'number' ? uid : undefined, userId }
}

/** Whether the key has the format from before grants: platform, application, uid, executable. It does not identify the file. */
export function isOlderVaultKey(platform: string, key: string): boolean {
  const parts = partsOf(platform, key)
  return parts.length === 4 && typeof parts[1] === 'string' && (parts[3] === null || typeof parts[3] === 'string')
}
