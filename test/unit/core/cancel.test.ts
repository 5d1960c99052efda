import { describe, expect, it, vi } from 'vitest'
import { Canceller } from '@sallyport/core/cancel'

const listener = () => ({ handleEvent: vi.fn() })

describe('Stop', () => {
  it('tells every listener once', () => {
    const stop = new Canceller()
    const [one, two] = [listener(), listener()]
    stop.addEventListener('abort', one)
    stop.addEventListener('abort', two)
    stop.stop()
    stop.stop()
    expect(stop.aborted).toBe(true)
    expect(one.handleEvent).toHaveBeenCalledTimes(1)
    expect(two.handleEvent).toHaveBeenCalledTimes(1)
  })

  it('tells nobody who left before', () => {
    const stop = new Canceller()
    const gone = listener()
    stop.addEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.stop()
    expect(gone.handleEvent).not.toHaveBeenCalled()
  })

  it('is an AbortSignal for those who need one, asked for before or after', () => {
    const stop = new Canceller()
    const { signal } = stop
    expect(signal.aborted).toBe(false)
    stop.stop()
    expect(signal.aborted).toBe(true)
    expect(stop.signal).toBe(signal)
    const late = new Canceller()
    late.stop()
    expect(late.signal.aborted).toBe(true)
  })
})
