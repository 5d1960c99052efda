/** The conformance kit of the clients: each known client does what its claims say, and the kit finds what is wrong with a client. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENTS } from '../conformance/clients/clients.ts'
import { checkClaims, claimsOfStranger, readClaims, UNDECLARED } from '../conformance/clients/features.ts'
import { cells, matrix } from '../conformance/clients/matrix.ts'
import { writtenColumn } from '../conformance/clients/readme.ts'
import { isBad, type Outcome, playAll } from '../conformance/clients/run.ts'
import { featureOf, STEP_IDS, STEPS } from '../conformance/clients/steps/index.ts'
import { canBeOther } from '#test/support/other-user.ts'
import { SOON } from '#test/support/soon.ts'

const AT_ONCE = 2
const FAULTY = join(import.meta.dirname, '../conformance/clients/adapters/faulty.ts')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spk-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Clients of others, to which the kit is played where there is time: what it finds in them changes only with the kit. */
const PUBLISHED: readonly string[] = ['discord-rpc', 'xhayper']
const hasTime = process.env['TEST_PUBLISHED'] !== undefined

/** Some clients are built first, and an engine starts for each step. */
const CLIENT_MS = 480_000

describe('the clients', { timeout: CLIENT_MS }, () => {
  test.for(CLIENTS.map((client) => [client.name, client] as const))('%s does what its claims say', async ([name, client], context) => {
    if (PUBLISHED.includes(name) && !hasTime) return context.skip('a client of others: npm run test:long -- published')
    const command = await client.prepare(join(folder, name))
    if (typeof command === 'string') return context.skip(command)
    const outcomes = await playAll({ command, claims: readClaims(client.claims, STEP_IDS) }, STEPS, SOON.timeout, AT_ONCE)
    console.log(matrix(outcomes))
    expect(outcomes.filter(isBad)).toEqual([])
    expect(outcomes.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(20)
    // Elsewhere some steps cannot be played.
    if (!canBeOther) return
    const [[, title = ''] = [], ...rows] = cells(outcomes)
    expect(Object.fromEntries(rows), 'bindings/README.md; write it with: npm run conformance:clients -- --readme').toEqual(
      writtenColumn(title),
    )
  })
})

describe('the kit', () => {
  /** What a client does wrong, and the steps that must find it. */
  const faults: Readonly<Record<string, readonly string[]>> = {
    none: [],
    'same-nonce': ['calls/nonces'],
    'number-nonce': ['calls/frame'],
    'two-frames': ['calls/frame'],
    'early-call': ['handshake/waits'],
    'text-version': ['handshake/fields'],
    'first-call': ['calls/nonces', 'calls/unknown-nonces'],
    'no-pong': ['ping/json'],
    'changed-pong': ['ping/bytes'],
    'stays-after-close': ['close/reason'],
    'forgets-calls': ['calls/lost'],
    'callback-after-close': ['leaving/silence'],
    hammers: ['reconnect/ends-at-once', 'reconnect/close'],
    'keeps-events': ['flood/events'],
    'plain-challenge': ['pkce/flow'],
    'same-verifier': ['pkce/fresh'],
    'presence-first': ['restore/order'],
    'no-key': ['keys/made', 'keys/own', 'keys/repeats'],
    'key-for-all': ['keys/made', 'keys/none'],
    'new-keys': ['keys/own', 'keys/repeats', 'keys/each-connection'],
    'any-folder': ['contained-servers/flatpak', 'contained-servers/snap', 'contained-servers/named'],
    'any-socket': ['folder-check/link', 'folder-check/writable'],
  }
  test.each(Object.entries(faults))('finds the fault %s', async (fault, expected) => {
    const steps = STEPS.filter(({ id }) => (fault === 'none' ? Object.values(faults).flat().includes(id) : expected.includes(id)))
    const stranger = claimsOfStranger(fault)
    const claims = { ...stranger, has: [...stranger.has, 'keys' as const] }
    const client = { command: [process.execPath, '--conditions=sallyport-source', FAULTY, fault] as const, claims }
    const outcomes = await playAll(client, steps, fault === 'none' ? SOON.timeout : 3000, AT_ONCE)
    expect(outcomes).toHaveLength(steps.length)
    expect(outcomes.filter(isBad).map(({ step }) => step)).toEqual(steps.map(({ id }) => id).filter((id) => expected.includes(id)))
  })

  test('fails when a known failure passes, and when claims are not complete', async () => {
    const client = { command: [process.execPath, '--conditions=sallyport-source', FAULTY, 'none'] as const, claims: claimsOfStranger('x') }
    const fails = { 'calls/frame': 'it is said to fail' }
    const steps = STEPS.filter(({ id }) => id === 'calls/frame')
    const [outcome] = await playAll({ ...client, claims: { ...client.claims, fails } }, steps, SOON.timeout, 1)
    expect(outcome).toMatchObject({ verdict: 'FIXED' })
    expect(isBad(outcome as Outcome)).toBe(true)
    const { has } = client.claims
    expect(() => checkClaims({ ...client.claims, has: has.slice(1) }, STEP_IDS, 'x')).toThrow('handshake must be in "has" or in "lacks"')
    expect(() => checkClaims({ ...client.claims, fails: { 'calls/none': 'it is not there' } }, STEP_IDS, 'x')).toThrow(
      'calls/none is no step',
    )
    expect(() => checkClaims({ ...client.claims, fails: { 'calls/frame': 'no' } }, STEP_IDS, 'x')).toThrow('calls/frame has no reason')
  })

  test('has steps with names of their own, each of a feature', () => {
    expect(STEP_IDS.size).toBe(STEPS.length)
    expect(STEPS.map(featureOf).filter((feature) => !claimsOfStranger('x').has.includes(feature) && !UNDECLARED.includes(feature))).toEqual(
      [],
    )
  })
})
