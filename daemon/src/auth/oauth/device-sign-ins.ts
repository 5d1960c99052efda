/** Sign-ins on another device (RFC 8628): holds the device codes and polls the platform no faster than it allows. */
import { SECOND_MS } from '@sallyport/core/durations'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '../../identity/program.ts'
import type { DeviceAuthorization, DeviceSignIns, SignInOwner, TokenEndpoint } from '../auth.ts'
import { isSameProgram } from '../../identity/program.ts'
import { OAuthError } from './oauth-error.ts'

interface DeviceSignInsDeps {
  readonly tokenEndpoint: Pick<TokenEndpoint, 'authorizeDevice' | 'exchangeDevice'>
  readonly clock: Clock
  /** Charges an open sign-in to a program; undefined when the program is at its limit. */
  readonly charge: (program: Program) => (() => void) | undefined
}

/** RFC 8628 §3.5: how much slower after `slow_down`. */
const SLOWER_MS = 5 * SECOND_MS
/** The longest backoff while the platform cannot be reached; it doubles each time. */
const SLOWEST_MS = 60 * SECOND_MS

interface PendingSignIn {
  readonly owner: SignInOwner
  readonly device: DeviceAuthorization
  readonly expiresAt: number
  readonly release: () => void
  intervalMs: number
  nextAt: number
  isCollected: boolean
}

const isSame = (a: SignInOwner, b: SignInOwner): boolean => a.applicationId === b.applicationId && isSameProgram(a.program, b.program)

export function createDeviceSignIns({ tokenEndpoint, clock, charge }: DeviceSignInsDeps): DeviceSignIns {
  const pending = new Set<PendingSignIn>()

  const drop = (one: PendingSignIn) => {
    pending.delete(one)
    one.release()
  }

  const dropExpired = () => {
    for (const one of pending) if (one.expiresAt <= clock.now() && !one.isCollected) drop(one)
  }

  const find = (owner: SignInOwner, userCode: string | undefined): PendingSignIn => {
    dropExpired()
    const found = [...pending].findLast((one) => isSame(one.owner, owner) && (userCode === undefined || one.device.userCode === userCode))
    if (found === undefined)
      throw new OAuthError('expired_token', 'No sign-in on another device is open here; start with AUTHORIZE_DEVICE.')
    if (found.isCollected) throw new BridgeError('TRANSACTION_ABORTED', 'Another call waits for this sign-in already.')
    return found
  }

  /** Waits until `atMs`. Rejects when the signal fires. */
  const until = (atMs: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortError())
      const waitMs = atMs - clock.now()
      if (waitMs <= 0) return resolve()
      const leave = () => {
        cancel()
        reject(abortError())
      }
      const cancel = clock.after(waitMs, () => {
        signal.removeEventListener('abort', leave)
        resolve()
      })
      signal.addEventListener('abort', leave, { once: true })
    })

  /** Whether to poll again; adjusts the interval. */
  const shouldRetry = (one: PendingSignIn, failure: unknown): boolean => {
    if (failure instanceof OAuthError && failure.oauth === 'authorization_pending') return true
    if (failure instanceof OAuthError && failure.oauth === 'slow_down') {
      one.intervalMs += SLOWER_MS
      return true
    }
    const isUnreachable = failure instanceof BridgeError && failure.error === 'SERVICE_UNAVAILABLE'
    if (isUnreachable) one.intervalMs = Math.min(SLOWEST_MS, Math.max(SECOND_MS, one.intervalMs * 2))
    return isUnreachable
  }

  return {
    async begin(owner, scopes, signal) {
      dropExpired()
      const release = charge(owner.program)
      if (release === undefined)
        throw new BridgeError(
          'RATE_LIMITED',
          'Too many sign-ins on other devices are open; wait until the user answers some or they expire.',
        )
      let device: DeviceAuthorization
      try {
        device = await tokenEndpoint.authorizeDevice({ applicationId: owner.applicationId, scopes }, signal)
      } catch (failure) {
        release()
        throw failure
      }
      const now = clock.now()
      const intervalMs = device.interval * SECOND_MS
      const expiresAt = now + device.expiresIn * SECOND_MS
      pending.add({ owner, device, expiresAt, release, intervalMs, nextAt: now + intervalMs, isCollected: false })
      return device
    },

    async collect({ owner, userCode, merge }, signal) {
      const one = find(owner, userCode)
      const { deviceCode } = one.device
      one.isCollected = true
      try {
        for (;;) {
          await until(Math.min(one.nextAt, one.expiresAt), signal)
          if (clock.now() >= one.expiresAt)
            throw new OAuthError('expired_token', 'The user did not answer in time; start again with AUTHORIZE_DEVICE.')
          try {
            const request = { applicationId: owner.applicationId, deviceCode, ...(merge === undefined ? {} : { merge }) }
            const grant = await tokenEndpoint.exchangeDevice(request, signal)
            drop(one)
            return grant
          } catch (failure) {
            if (!shouldRetry(one, failure)) throw failure
            one.nextAt = clock.now() + one.intervalMs
          }
        }
      } catch (failure) {
        // A refusal of the platform is final; a cancelled call may be repeated.
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

const abortError = (): BridgeError =>
  new BridgeError('TRANSACTION_ABORTED', 'The call was cancelled before the user answered on the other device.')
