/** Shared setup of the forwarder tests: a platform, a clock and two users. */
import { type EndpointRow } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { silentLogger } from '#test/support/silent-logger.ts'
import { Secret } from '@sallyport/core/secret'
import { createForwarder } from '#daemon/src/platform/api/forwarder.ts'
import { Warnings } from '#daemon/src/platform/api/warnings.ts'
import type { Credential } from '#daemon/src/platform/api/forwarder-port.ts'
import { FakePlatform, reply } from './fake-platform.ts'
import { SettlingClock } from '#test/support/fake-clock.ts'
import { row } from './rows.ts'

type UserCredential = Extract<Credential, { kind: 'user' }>

export const ada: UserCredential = { kind: 'user', applicationId: 'app', userId: 'ada', token: new Secret('token-of-ada') }
export const bob: UserCredential = { kind: 'user', applicationId: 'app', userId: 'bob', token: new Secret('token-of-bob') }

export interface Options {
  readonly channel?: string
  readonly who?: Credential | undefined
  readonly within?: number
  readonly signal?: AbortSignal
}

export function world() {
  const clock = new SettlingClock()
  const platform = new FakePlatform()
  const unauthorized: Credential[] = []
  const warnings = new Warnings(clock, silentLogger)
  /** Waits for a rate limit: the bucket, and ms. */
  const waits: (readonly [bucket: string, ms: number])[] = []
  const forwarder = createForwarder({
    profile: { baseUrl: 'http://127.0.0.1:9/api/v10', userAgent: 'a' },
    send: platform.send,
    clock,
    log: silentLogger,
    warnings,
    meter: { waited: (bucket, ms) => waits.push([bucket, ms]) },
    random: () => 1,
    onUnauthorized: (credential) => unauthorized.push(credential),
  })
  /** The outcome as a value: the result, or the error on the wire. */
  const call = async (of: EndpointRow = row(), { channel = '1', who = ada, within = 30_000, signal }: Options = {}) => {
    const args = { channel_id: channel }
    return forwarder.forward(of, args, who, signal ?? new AbortController().signal, clock.elapsed() + within).catch((failure: unknown) => {
      if (failure instanceof BridgeError) return failure.toWire()
      throw failure
    })
  }
  return { clock, platform, forwarder, call, unauthorized, warnings, waits }
}

export const ok = reply(200, { id: 'x', extra: [1] })
