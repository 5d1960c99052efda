/**
 * Counts calls that the platform limits for applications without approval. The bridge cannot know whether an application is approved, so it
 * warns and continues; the platform enforces the limit.
 */
import { HOUR_MS } from '@sallyport/core/durations'
import { DEVELOPMENT_LIMITS, type EndpointRow, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Credential } from './forwarder-port.ts'
import type { Warnings } from './warnings.ts'

interface Window {
  used: number
  readonly endsAt: number
}

interface Counted {
  readonly operation: string
  readonly limit: number
}

/** Number of windows from which expired ones are swept. */
const SWEEP_FROM = 1024

export function createDevelopmentLimits(clock: Clock, warnings: Warnings) {
  const windows = new Map<string, Window>()
  /** The counted operation of a row; undefined for most rows. */
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
    /** Counts one request of a call. */
    count(row: EndpointRow, credential: Credential | undefined): void {
      const what = countedOf(row)
      const applicationId = credential?.applicationId
      if (what === undefined || applicationId === undefined) return
      const { operation, limit } = what
      const key = `${applicationId} ${operation}`
      const window = windowOf(key, clock.now())
      window.used += 1
      if (window.used < limit) return
      const hours = LIMITS.developmentMs.value / HOUR_MS
      warnings.raise(key, {
        kind: 'development_limit',
        applicationId,
        message: `Application ${applicationId} called ${operation} ${limit} times within ${hours} hours. The platform rejects more calls until it has approved the application.`,
        endsAt: window.endsAt,
      })
    },
  }
}
