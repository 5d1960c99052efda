import { describe, expect, it, vi } from 'vitest'
import { Stop } from '@sallyport/core/stop'

const listener = () => ({ handleEvent: vi.fn() })

describe('Stop', () => {
  it('tells every listener once', () => {
    const stop = new Stop()
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
    const stop = new Stop()
    const gone = listener()
    stop.addEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    stop.stop()
    expect(gone.handleEvent).not.toHaveBeenCalled()
  })

  it('is an AbortSignal for those who need one, asked for before or after', () => {
    const stop = new Stop()
    const { signal } = stop
    expect(signal.aborted).toBe(false)
    stop.stop()
    expect(signal.aborted).toBe(true)
    expect(stop.signal).toBe(signal)
    const late = new Stop()
    late.stop()
    expect(late.signal.aborted).toBe(true)
  })
})
