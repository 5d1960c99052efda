/** The vault key of a holder on a platform, and back. Text that stays the same between versions; it holds no secret. */
import type { Holder } from './auth.ts'

export const holderKey = (platform: string, { applicationId, uid, executable }: Holder): string =>
  JSON.stringify([platform, applicationId, uid ?? null, executable ?? null])

/** Undefined for keys of other platforms and other forms. */
export function holderOf(platform: string, key: string): Holder | undefined {
  let parts: unknown
  try {
    parts = JSON.parse(key)
  } catch {
    return undefined
  }
  if (!Array.isArray(parts) || parts.length !== 4 || parts[0] !== platform) return undefined
  const [, applicationId, uid, executable] = parts as readonly unknown[]
  if (typeof applicationId !== 'string') return undefined
  return {
    applicationId,
    uid: typeof uid === 'number' ? uid : undefined,
    executable: typeof executable === 'string' ? executable : undefined,
  }
}
