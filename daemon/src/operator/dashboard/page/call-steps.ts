/** What a call did, in time. Pure. */
import type { CallTrace } from '@sallyport/protocol'

interface Step {
  readonly kind: 'whole' | 'wait' | 'http'
  readonly label: string
  readonly from: number
  readonly ms: number
}

/** In the order in which they began. */
export function stepsOf({ ms = 0, waits = [], requests = [] }: CallTrace): readonly Step[] {
  const steps: readonly Step[] = [
    ...waits.map(({ on, after_ms: from, ms: length }) => ({ kind: 'wait', label: `Waited for ${on}`, from, ms: length }) as const),
    ...requests.map(
      ({ method, path, status, failure, after_ms: from, ms: length }) =>
        ({ kind: 'http', label: `${method} ${path}: ${status ?? failure ?? 'failed'}`, from, ms: length }) as const,
    ),
  ]
  return [{ kind: 'whole', label: 'Message to response', from: 0, ms }, ...steps.toSorted((one, other) => one.from - other.from)]
}
