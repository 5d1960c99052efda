/** Each row of the table of resources: its limit is reached, what exceeds is refused, and what is given back can be had again. */
import { describe, expect, it } from 'vitest'
import { type ResourceRow, RESOURCES, type ResourceName } from '#daemon/src/accounting/resources.ts'
import type { Program } from '#daemon/src/identity/program.ts'
import { programAt, world } from './programs.ts'

/** Takes a part of the resource for a program: whether it was had, and how it is given back. */
interface Taken {
  readonly isHad: boolean
  giveBack(): void
}

type Scenario = (made: ReturnType<typeof world>) => { readonly step: number; take(path: string): Taken }

const ofConnections: Scenario = ({ connect }) => ({
  step: 1,
  take: (path) => {
    const one = connect(path)
    return { isHad: one.closedWith === undefined, giveBack: () => one.end() }
  },
})
const KIB_64 = 65_536
const ofFrames: Scenario = ({ connect }) => ({
  step: KIB_64,
  take: (path) => {
    const one = connect(path)
    one.account.setUnfinishedBytes(KIB_64, false)
    // The oldest is always read on, so another one shows whether the program waits.
    const next = connect(path)
    const isHad = !next.isPaused && one.closedWith === undefined
    next.end()
    return { isHad, giveBack: () => one.end() }
  },
})
const ofCalls =
  (bytes: number, step: number): Scenario =>
  ({ connect }) => ({
    step,
    take: (path) => {
      // Each call has a connection, of which a program without a grant may have fewer.
      const one = connect(`/granted${path}`)
      if (!one.account.hasRoomForCall(bytes)) return { isHad: false, giveBack: () => one.end() }
      one.account.callOpened(bytes)
      return { isHad: !one.isPaused, giveBack: () => one.end() }
    },
  })
const ofUnsent: Scenario = ({ connect }) => {
  let dropped = 0
  return {
    step: KIB_64,
    take: (path) => {
      const one = connect(path)
      const before = dropped
      const drop = one.drop.bind(one)
      one.drop = () => {
        dropped++
        drop()
      }
      one.account.setUnsentBytes(KIB_64)
      return { isHad: dropped === before, giveBack: () => one.end() }
    },
  }
}
const held =
  (
    name:
      | 'authorizePages'
      | 'deviceAuthorizations'
      | 'webConnections'
      | 'uploads'
      | 'consentPrompts'
      | 'subscriptions'
      | 'detachedCallBytes'
      | 'callKeys'
      | 'callKeyBytes',
    amount = 1,
  ): Scenario =>
  ({ accounting }) => ({
    step: amount,
    take: (path) => {
      const release = accounting.charge(name, programAt(path), amount)
      return { isHad: release !== undefined, giveBack: () => release?.() }
    },
  })
const windowed =
  (name: 'authorizePagesOpened' | 'invalidCallbacks' | 'unauthenticatedFailures' | 'authenticatedFailures'): Scenario =>
  ({ accounting }) => ({
    step: 1,
    take: (path) => {
      const place = accounting.window(name).reserve(path)
      return { isHad: place !== undefined, giveBack: () => place?.giveBack() }
    },
  })

const SCENARIOS: Readonly<Record<ResourceName, Scenario>> = {
  connections: ofConnections,
  unfinishedFrameBytes: ofFrames,
  pendingCalls: ofCalls(1, 1),
  pendingCallBytes: ofCalls(KIB_64, KIB_64),
  unsentBytes: ofUnsent,
  authorizePages: held('authorizePages'),
  authorizePagesOpened: windowed('authorizePagesOpened'),
  deviceAuthorizations: held('deviceAuthorizations'),
  invalidCallbacks: windowed('invalidCallbacks'),
  unauthenticatedFailures: windowed('unauthenticatedFailures'),
  authenticatedFailures: windowed('authenticatedFailures'),
  webConnections: held('webConnections'),
  uploads: held('uploads', 1_048_576),
  consentPrompts: held('consentPrompts'),
  detachedCallBytes: held('detachedCallBytes', 65_536),
  callKeys: held('callKeys'),
  callKeyBytes: held('callKeyBytes', 65_536),
  subscriptions: held('subscriptions'),
}
const MANY_PROGRAMS = 64

const ROWS = Object.entries<ResourceRow>(RESOURCES)
const isGranted = ({ executable }: Program): boolean => executable?.startsWith('/granted') ?? false
const make = (name: string) => {
  const made = world(isGranted)
  return { ...made, ...SCENARIOS[name as ResourceName](made) }
}
const takeAll = (take: (path: string) => Taken, path: string): Taken[] => {
  const all: Taken[] = []
  for (;;) {
    const one = take(path)
    all.push(one)
    if (!one.isHad) return all
  }
}

describe.each(ROWS)('%s', (name, row) => {
  const limits = row.withoutGrant ?? row

  it('is had up to the most of one program, refused beyond, and had again when given back', () => {
    const { step, take, charged } = make(name)
    const all = takeAll(take, '/a')
    expect(all.length - 1).toBe(limits.ofProgram / step)
    expect(take('/b').isHad).toBe(true)
    for (const one of all) one.giveBack()
    expect(take('/a').isHad).toBe(true)
    expect(charged(name)).toBe(2 * step)
  })

  it('is bounded for all programs together, leaves something to a newcomer, and is all given back', () => {
    const { take, charged } = make(name)
    const all: Taken[] = []
    for (let program = 0; program < MANY_PROGRAMS; program++) {
      const own = takeAll(take, `/program${program}`)
      if (program < 3) expect(own.length).toBeGreaterThan(1)
      all.push(...own)
      expect(charged(name)).toBeLessThanOrEqual(limits.ofAll)
    }
    for (const one of all) one.giveBack()
    expect(charged(name)).toBe(0)
  })
})

const RESERVED = ROWS.filter(([name, { withoutGrant }]) => withoutGrant !== undefined && name !== 'unauthenticatedFailures')

describe.each(RESERVED)('%s: the reserve', (name, row) => {
  it('is had by a program with a grant after the others took all they can', () => {
    const { step, take, charged } = make(name)
    for (let program = 0; program < MANY_PROGRAMS; program++) takeAll(take, `/program${program}`)
    const before = charged(name) ?? 0
    expect(before).toBeLessThanOrEqual(row.withoutGrant?.ofAll ?? 0)
    expect(take('/granted').isHad).toBe(true)
    expect(charged(name)).toBe(before + step)
  })

  it('lets one program with a grant have more than one without', () => {
    const { step, take } = make(name)
    expect(takeAll(take, '/granted').length - 1).toBe(row.ofProgram / step)
  })
})
