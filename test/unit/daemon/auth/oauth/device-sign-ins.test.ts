import { BUDGETS } from '@sallyport/core/budgets'
import { describe, expect, it } from 'vitest'
import { Accounting } from '#daemon/src/accounting/accounting.ts'
import type { SignInOwner } from '#daemon/src/auth/auth.ts'
import { createDeviceSignIns } from '#daemon/src/auth/oauth/device-sign-ins.ts'
import { BridgeError } from '@sallyport/core/errors'
import type { Program } from '#daemon/src/identity/program.ts'
import { SettlingClock } from '#test/support/fake-clock.ts'
import { FakeTokenEndpoint } from '#test/support/fakes.ts'

const program: Program = { kind: 'native', uid: 1, executable: '/game', file: '1:2:3:4:5' }
const holder: SignInOwner = { applicationId: '1234567890', program }
const never = new AbortController().signal
const away = () => new BridgeError('SERVICE_UNAVAILABLE', 'The token endpoint cannot be reached.')

/** Notes when each poll was sent, in seconds from the start. */
function world(...answers: FakeTokenEndpoint['deviceAnswers']) {
  const clock = new SettlingClock()
  const tokenEndpoint = new FakeTokenEndpoint()
  tokenEndpoint.deviceAnswers = answers
  const startedAt = clock.now()
  const askedAt: number[] = []
  /** So many sign-ins are not opened. */
  const refuse = { next: 0 }
  const accounting = new Accounting(clock)
  const devices = createDeviceSignIns({
    clock,
    charge: (one) => accounting.charge('deviceAuthorizations', one),
    tokenEndpoint: {
      authorizeDevice: async (request) => {
        if (refuse.next-- > 0) throw away()
        return tokenEndpoint.authorizeDevice(request)
      },
      exchangeDevice: (request) => {
        askedAt.push((clock.now() - startedAt) / 1000)
        return tokenEndpoint.exchangeDevice(request)
      },
    },
  })
  const collect = (userCode?: string, signal = never, by = holder) => devices.collect({ owner: by, userCode }, signal)
  return { clock, devices, collect, askedAt, refuse }
}

describe('collect', () => {
  it('asks as often as the platform allows until the user has answered', async () => {
    const { clock, devices, collect, askedAt } = world('authorization_pending', 'authorization_pending', 'allowed')
    await devices.begin(holder, ['identify'], never)
    const grant = collect()
    await clock.advance(15_000)
    expect((await grant).scopes).toEqual(['identify', 'guilds'])
    expect(askedAt).toEqual([5, 10, 15])
    expect(clock.pending).toBe(0)
    await expect(collect()).rejects.toMatchObject({ message: expect.stringContaining('expired_token') as string })
  })

  it('asks five seconds slower after slow_down, and ever slower while the platform is away', async () => {
    const { clock, devices, collect, askedAt } = world('slow_down', 'authorization_pending', away(), away(), 'allowed')
    await devices.begin(holder, [], never)
    const grant = collect()
    await clock.advance(100_000)
    await grant
    expect(askedAt).toEqual([5, 15, 25, 45, 85])
  })

  it.each(['access_denied', 'expired_token'] as const)('ends with %s, for good', async (answer) => {
    const { clock, devices, collect } = world(answer)
    await devices.begin(holder, [], never)
    const refused = expect(collect()).rejects.toMatchObject({ error: 'OAUTH2_ERROR', message: `OAuth2 Error: ${answer}` })
    await clock.advance(5_000)
    await refused
    await expect(collect()).rejects.toThrow(/No sign-in on another device is open/)
  })

  it('ends when the code expires, without another prompt', async () => {
    const { clock, devices, collect, askedAt } = world(...Array.from({ length: 100 }, () => 'authorization_pending' as const))
    await devices.begin(holder, [], never)
    const late = expect(collect()).rejects.toThrow(/expired_token: The user did not answer in time/)
    await clock.advance(300_000)
    await late
    expect(askedAt.at(-1)).toBe(295)
    expect(clock.pending).toBe(0)
  })

  it('stops at once when the caller leaves, and can be called again', async () => {
    const { clock, devices, collect, askedAt } = world('authorization_pending', 'allowed')
    await devices.begin(holder, [], never)
    const leaving = new AbortController()
    const left = expect(collect(undefined, leaving.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    await clock.advance(5_000)
    leaving.abort()
    await left
    expect(clock.pending).toBe(0)
    await expect(collect(undefined, leaving.signal)).rejects.toMatchObject({ error: 'TRANSACTION_ABORTED' })
    const again = collect()
    await clock.advance(5_000)
    await again
    expect(askedAt).toEqual([5, 10])
  })

  it('lets one call wait, and no other program', async () => {
    const { clock, devices, collect } = world('allowed')
    await devices.begin(holder, [], never)
    const first = collect()
    await expect(collect()).rejects.toThrow(/waits for this sign-in already/)
    await expect(collect(undefined, never, { ...holder, program: { ...program, executable: '/other' } })).rejects.toThrow(/No sign-in/)
    await expect(collect(undefined, never, { ...holder, program: { ...program, uid: 2 } })).rejects.toThrow(/No sign-in/)
    await clock.advance(5_000)
    await first
  })

  it('takes the latest unless a code is named', async () => {
    const { clock, devices, collect } = world('allowed', 'allowed')
    const { userCode } = await devices.begin(holder, [], never)
    await devices.begin(holder, [], never)
    const [latest, named] = [collect(), collect(userCode)]
    await expect(collect('UNKNOWN')).rejects.toThrow(/No sign-in/)
    await clock.advance(5_000)
    await Promise.all([latest, named])
  })
})

describe('begin', () => {
  it('keeps a bounded number open, and forgets those that expire', async () => {
    const { clock, devices } = world('authorization_pending')
    for (let count = 0; count < BUDGETS.deviceAuthorizationsPerProgram.value; count++) await devices.begin(holder, [], never)
    await expect(devices.begin(holder, [], never)).rejects.toMatchObject({ error: 'RATE_LIMITED' })
    const other = { ...holder, program: { ...program, executable: '/other', file: '1:3:3:4:5' } }
    await devices.begin(other, [], never)
    await clock.advance(300_000)
    await devices.begin(holder, [], never)
  })

  it('gives back the place of one that the platform did not open', async () => {
    const { devices, refuse } = world()
    refuse.next = BUDGETS.deviceAuthorizationsPerProgram.value
    for (let left = refuse.next; left > 0; left--) await expect(devices.begin(holder, [], never)).rejects.toThrow()
    await devices.begin(holder, [], never)
  })
})
