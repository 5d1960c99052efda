/** Shows at a terminal that a step takes longer than a second. */
import type { Io } from './command.ts'

const SECOND_MS = 1000

/** Runs `work`. `what`: what the user waits for, without a full stop. */
export async function withProgress<T>({ status, after }: Pick<Io, 'status' | 'after'>, what: string, work: () => Promise<T>): Promise<T> {
  if (status === undefined) return work()
  let seconds = 0
  const tick = (): void => {
    seconds++
    status(`${what}… ${seconds} s`)
    cancel = after(SECOND_MS, tick)
  }
  let cancel = after(SECOND_MS, tick)
  try {
    return await work()
  } finally {
    cancel()
    if (seconds > 0) status(undefined)
  }
}
