/** Device codes of RFC 8628: requested by a device, answered by the user elsewhere, and redeemed once by the device. */
import { SECOND_MS } from '@sallyport/core/durations'
import { randomInt } from 'node:crypto'
import { DEVICE_CODE_SECONDS, DEVICE_CODES_MAX, DEVICE_INTERVAL_SECONDS } from '../constants.ts'
import { OAuthError } from '../platform-error.ts'
import { type Platform, rememberApplication } from '../platform.ts'
import type { StoredDeviceCode } from '../store/records.ts'
import { applicationUserKey } from '../store/store.ts'
import { hashOf, newToken } from './tokens.ts'

/** Consonants only, as RFC 8628 §6.1 proposes, so that no words and no mix-ups occur. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LETTERS = 8
const SLOWER_MS = 5 * SECOND_MS

interface OpenedDevice {
  readonly deviceCode: string
  readonly userCode: string
}

/** The user code with its dash. */
export const shownCode = (userCode: string): string => `${userCode.slice(0, CODE_LETTERS / 2)}-${userCode.slice(CODE_LETTERS / 2)}`
export const typedCode = (text: string): string => text.toUpperCase().replace(/[^A-Z]/g, '')

/** Creates a device code; `answer`: the initial answer. */
export function openDevice(
  platform: Platform,
  applicationId: string,
  scopes: readonly string[],
  answer: StoredDeviceCode['answer'],
): OpenedDevice {
  const { store, clock } = platform
  const now = clock.now()
  const outdated = store.deviceCodes.all().filter(({ expiresAt }) => expiresAt <= now)
  if (store.deviceCodes.size - outdated.length >= DEVICE_CODES_MAX)
    throw new OAuthError('invalid_request', 'Too many device codes are open; wait until some expire.')
  let userCode = ''
  do userCode = Array.from({ length: CODE_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  while (store.deviceCodes.group(hashOf(userCode)).length > 0)
  const deviceCode = newToken()
  const hash = hashOf(deviceCode)
  const intervalMs = DEVICE_INTERVAL_SECONDS * SECOND_MS
  const expiresAt = now + DEVICE_CODE_SECONDS * SECOND_MS
  store.commit([
    ...rememberApplication(platform, applicationId),
    ...outdated.map((one) => store.deviceCodes.delete(one.hash)),
    store.deviceCodes.put(hash, {
      hash,
      userCodeHash: hashOf(userCode),
      applicationId,
      scopes,
      expiresAt,
      intervalMs,
      askAfter: now + intervalMs,
      answer,
    }),
  ])
  return { deviceCode, userCode: shownCode(userCode) }
}

/** The pending device code for a typed user code. */
export function pendingDevice({ store, clock }: Platform, text: string): StoredDeviceCode | undefined {
  const [found] = store.deviceCodes.group(hashOf(typedCode(text)))
  return found !== undefined && found.answer === null && found.expiresAt > clock.now() ? found : undefined
}

/** Stores the answer of the user; consent is remembered as on the consent page. */
export function answerDevice({ store, clock }: Platform, device: StoredDeviceCode, answer: { readonly userId: string } | 'denied'): void {
  const { applicationId, scopes } = device
  const consent = () => {
    if (answer === 'denied') return []
    const { userId } = answer
    const key = applicationUserKey(applicationId, userId)
    const agreed = new Set([...(store.consents.get(key)?.scopes ?? []), ...scopes])
    return [store.consents.put(key, { applicationId, userId, scopes: [...agreed], grantedAt: clock.now() })]
  }
  store.commit([...consent(), store.deviceCodes.put(device.hash, { ...device, answer })])
}

/** Returns the answer for the device. Throws authorization_pending, slow_down, access_denied, expired_token or invalid_grant. */
export function collectDevice(
  { store, clock }: Platform,
  deviceCode: string,
  applicationId: string,
): { readonly device: StoredDeviceCode; readonly userId: string } {
  const now = clock.now()
  const device = store.deviceCodes.get(hashOf(deviceCode))
  if (device === undefined || device.applicationId !== applicationId)
    throw new OAuthError('invalid_grant', 'Invalid "device_code" in request')
  if (device.expiresAt <= now) throw new OAuthError('expired_token', 'The device code is expired.')
  if (now < device.askAfter) {
    const intervalMs = device.intervalMs + SLOWER_MS
    store.commit([store.deviceCodes.put(device.hash, { ...device, intervalMs, askAfter: now + intervalMs })])
    throw new OAuthError('slow_down', `Poll at most every ${intervalMs / SECOND_MS} seconds.`)
  }
  if (device.answer === 'denied') {
    store.commit([store.deviceCodes.delete(device.hash)])
    throw new OAuthError('access_denied', 'The resource owner or authorization server denied the request')
  }
  if (device.answer === null) {
    store.commit([store.deviceCodes.put(device.hash, { ...device, askAfter: now + device.intervalMs })])
    throw new OAuthError('authorization_pending', 'The user has not answered yet.')
  }
  return { device, userId: device.answer.userId }
}
