/** Closes a resource. */
export type Closer = () => Promise<void>

/** Runs all closers in reverse order, even if one fails; then throws an AggregateError. */
export async function closeAll(closers: readonly Closer[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.toReversed()) {
    try {
      await close()
    } catch (failure) {
      failures.push(failure)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some parts did not close')
}
