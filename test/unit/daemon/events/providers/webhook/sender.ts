/** Signs deliveries like a platform, with a key pair of the test. */
import { generateKeyPairSync, sign } from 'node:crypto'
import type { Delivery } from '#daemon/src/platform/webhook/delivery-handler.ts'

export const APPLICATION = '123456789012345678'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
/** As a developer portal shows it. */
export const PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
export const strangersKey = generateKeyPairSync('ed25519').privateKey

export const eventOf = (type: string, data: unknown, timestamp: string | undefined = '2025-11-21T12:00:00.000000'): object => ({
  version: 1,
  application_id: APPLICATION,
  type: 1,
  event: { type, ...(timestamp === undefined ? {} : { timestamp }), data },
})
export const PING = { version: 1, application_id: APPLICATION, type: 0 }

/** `at` in ms since the epoch. */
export function signed(message: object | string, at: number, key = privateKey): Delivery {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
  const timestamp = String(Math.floor(at / 1000))
  return {
    kind: 'webhooks',
    applicationId: APPLICATION,
    body,
    timestamp,
    signature: sign(null, Buffer.concat([Buffer.from(timestamp), body]), key).toString('hex'),
  }
}
