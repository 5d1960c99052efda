/**
 * Counts what the platform counts of applications that it has not approved yet. Whether one is approved nobody tells the bridge, so it
 * warns and goes on: the platform itself says no when it means it.
 */
import { DEVELOPMENT_LIMITS, type EndpointRow, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Credential } from './upstream.ts'
import type { Warnings } from './warnings.ts'

export interface DevelopmentLimits {
  /** One sending of a call. */
  count(row: EndpointRow, credential: Credential | undefined): void
}

interface Window {
  used: number
  readonly endsAt: number
}

interface Counted {
  readonly operation: string
  readonly limit: number
}

/** Windows are swept when there are this many. */
const SWEEP_FROM = 1024
const HOUR_MS = 3_600_000

export function createDevelopmentLimits(clock: Clock, warnings: Warnings): DevelopmentLimits {
  const windows = new Map<string, Window>()
  /** What is counted of a row; undefined for the many of which nothing is. */
  const counted = new Map<EndpointRow, Counted | undefined>()

  const countedOf = (row: EndpointRow): Counted | undefined => {
    if (counted.has(row)) return counted.get(row)
    const operation = `${row.method} ${row.path}`
    const name = DEVELOPMENT_LIMITS.get(operation)
    const found = name === undefined ? undefined : { operation, limit: LIMITS[name].value }
    counted.set(row, found)
    return found
  }

  const windowOf = (key: string, now: number): Window => {
    const known = windows.get(key)
    if (known !== undefined && now < known.endsAt) return known
    if (windows.size >= SWEEP_FROM) for (const [other, { endsAt }] of windows) if (now >= endsAt) windows.delete(other)
    const opened = { used: 0, endsAt: now + LIMITS.developmentMs.value }
    windows.set(key, opened)
    return opened
  }

  return {
    count(row, credential) {
      const what = countedOf(row)
      if (what === undefined || credential === undefined) return
      const { operation, limit } = what
      // The credential is named `application:user` or `application:bot`.
      const [applicationId = ''] = credential.id.split(':')
      const key = `${applicationId} ${operation}`
      const window = windowOf(key, clock.now())
      window.used += 1
      if (window.used < limit) return
      const hours = LIMITS.developmentMs.value / HOUR_MS
      warnings.raise(key, {
        kind: 'development_limit',
        message: `Application ${applicationId} called ${operation} ${limit} times within ${hours} hours: until the platform has approved it, it refuses more.`,
        endsAt: window.endsAt,
      })
    },
  }
}
