/** Sign-ins on another device (RFC 8628): remembers their secret codes, and asks the platform for the answer no oftener than it allows. */
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../../identity/program.ts'
import type { DeviceAuthorization, DeviceSignIns, Holder, TokenEndpoint } from '../auth.ts'
import { isSameProgram } from '../../identity/program.ts'
import { OAuthError } from './oauth-error.ts'

export interface DeviceSignInsParts {
  readonly tokenEndpoint: Pick<TokenEndpoint, 'authorizeDevice' | 'exchangeDevice'>
  readonly clock: Clock
  /** Charges an open sign-in to a program; undefined when that has its share. */
  readonly charge: (program: Program) => (() => void) | undefined
}

const SECOND_MS = 1000
/** RFC 8628 §3.5: how much slower after `slow_down`. */
const SLOWER_MS = 5 * SECOND_MS
/** The platform cannot be reached for a while: each time twice as long, up to this. */
const SLOWEST_MS = 60 * SECOND_MS

interface Pending {
  readonly holder: Holder
  readonly device: DeviceAuthorization
  readonly expiresAt: number
  readonly release: () => void
  intervalMs: number
  nextAt: number
  isCollected: boolean
}

const isSame = (a: Holder, b: Holder): boolean => a.applicationId === b.applicationId && isSameProgram(a.program, b.program)

export function createDeviceSignIns({ tokenEndpoint, clock, charge }: DeviceSignInsParts): DeviceSignIns {
  const pending = new Set<Pending>()

  const drop = (one: Pending) => {
    pending.delete(one)
    one.release()
  }

  const dropExpired = () => {
    for (const one of pending) if (one.expiresAt <= clock.now() && !one.isCollected) drop(one)
  }

  const find = (holder: Holder, userCode: string | undefined): Pending => {
    dropExpired()
    const found = [...pending].findLast((one) => isSame(one.holder, holder) && (userCode === undefined || one.device.userCode === userCode))
    if (found === undefined)
      throw new OAuthError('expired_token', 'No sign-in on another device is open here; begin with AUTHORIZE_DEVICE.')
    if (found.isCollected) throw new BridgeError('TRANSACTION_ABORTED', 'Another call waits for this sign-in already.')
    return found
  }

  /** Waits until `atMs`. Rejects when the signal fires. */
  const until = (atMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(leftEarly())
      const waitMs = atMs - clock.now()
      if (waitMs <= 0) return resolve()
      const leave = () => {
        cancel()
        reject(leftEarly())
      }
      const cancel = clock.after(waitMs, () => {
        signal.removeEventListener('abort', leave)
        resolve()
      })
      signal.addEventListener('abort', leave, { once: true })
    })

  /** Whether the question may be asked again, and how much later. */
  const isPatient = (one: Pending, failure: unknown): boolean => {
    if (failure instanceof OAuthError && failure.oauth === 'authorization_pending') return true
    if (failure instanceof OAuthError && failure.oauth === 'slow_down') {
      one.intervalMs += SLOWER_MS
      return true
    }
    const isAway = failure instanceof BridgeError && failure.error === 'SERVICE_UNAVAILABLE'
    if (isAway) one.intervalMs = Math.min(SLOWEST_MS, Math.max(SECOND_MS, one.intervalMs * 2))
    return isAway
  }

  return {
    async begin(holder, scopes, signal) {
      dropExpired()
      const release = charge(holder.program)
      if (release === undefined)
        throw new BridgeError('RATE_LIMITED', 'Too many sign-ins on other devices are open; wait until some are answered or expire.')
      let device: DeviceAuthorization
      try {
        device = await tokenEndpoint.authorizeDevice({ applicationId: holder.applicationId, scopes }, signal)
      } catch (failure) {
        release()
        throw failure
      }
      const now = clock.now()
      const intervalMs = device.interval * SECOND_MS
      const expiresAt = now + device.expiresIn * SECOND_MS
      pending.add({ holder, device, expiresAt, release, intervalMs, nextAt: now + intervalMs, isCollected: false })
      return device
    },

    async collect({ holder, userCode, merge }, signal) {
      const one = find(holder, userCode)
      const { deviceCode } = one.device
      one.isCollected = true
      try {
        for (;;) {
          await until(Math.min(one.nextAt, one.expiresAt), signal)
          if (clock.now() >= one.expiresAt)
            throw new OAuthError('expired_token', 'Nobody answered in time; begin again with AUTHORIZE_DEVICE.')
          try {
            const request = { applicationId: holder.applicationId, deviceCode, ...(merge === undefined ? {} : { merge }) }
            const grant = await tokenEndpoint.exchangeDevice(request, signal)
            drop(one)
            return grant
          } catch (failure) {
            if (!isPatient(one, failure)) throw failure
            one.nextAt = clock.now() + one.intervalMs
          }
        }
      } catch (failure) {
        // What the platform refused stays refused; a call that was given up may be made again.
        const isOver = failure instanceof OAuthError && OVER.has(failure.oauth)
        if (isOver) drop(one)
        throw failure
      } finally {
        one.isCollected = false
      }
    },
  }
}

const OVER: ReadonlySet<string> = new Set(['access_denied', 'expired_token', 'invalid_grant'])

const leftEarly = (): BridgeError =>
  new BridgeError('TRANSACTION_ABORTED', 'The call was given up before the user answered on the other device.')
