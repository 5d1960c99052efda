/** Times as OpenTelemetry has them. */
import type { HrTime } from '@opentelemetry/api'

const SECOND_MS = 1000
const NANOSECONDS = 1_000_000

/** `ms`: since 1970. Seconds and nanoseconds, because the SDK takes a small number for one of its own clock. */
export const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / SECOND_MS)
  return [seconds, Math.round((ms - seconds * SECOND_MS) * NANOSECONDS)]
}
