import { describe, expect, it, vi } from 'vitest'
import { Canceller } from '@sallyport/core/cancel'

const listener = () => ({ handleEvent: vi.fn() })

describe('Canceller', () => {
  it('notifies every listener once', () => {
    const stop = new Canceller()
    const [one, two] = [listener(), listener()]
    stop.addEventListener('abort', one)
    stop.addEventListener('abort', two)
    stop.cancel()
    stop.cancel()
    expect(stop.aborted).toBe(true)
    expect(one.handleEvent).toHaveBeenCalledTimes(1)
    expect(two.handleEvent).toHaveBeenCalledTimes(1)
  })

  it('does not notify removed listeners', () => {
    const stop = new Canceller()
    const gone = listener()
    stop.addEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.cancel()
    expect(gone.handleEvent).not.toHaveBeenCalled()
  })

  it('provides an AbortSignal, before and after it is cancelled', () => {
    const stop = new Canceller()
    const { signal } = stop
    expect(signal.aborted).toBe(false)
    stop.cancel()
    expect(signal.aborted).toBe(true)
    expect(stop.signal).toBe(signal)
    const late = new Canceller()
    late.cancel()
    expect(late.signal.aborted).toBe(true)
  })
})
