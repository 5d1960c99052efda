/** Ends what a starter began. Every starter returns one. */
export type Closer = () => Promise<void>

/** Runs closers in reverse order of opening; a failing one does not keep the others from running. */
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
