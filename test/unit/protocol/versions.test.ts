/** Dated changes, and supported SDK versions. */
import {
  COMMANDS,
  ENDPOINTS,
  EVENTS,
  hasBegun,
  isInEffect,
  LIMITS,
  PERMISSIONS,
  SDK_RELEASE_MONTHS,
  sdkSupport,
  sdkWindow,
  type VersionId,
  type VersionRow,
  VERSIONS,
} from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'

const DAY_MS = 86_400_000
const rows = Object.entries<VersionRow>(VERSIONS) as [VersionId, VersionRow][]

describe('VERSIONS', () => {
  it('are sorted by date, with valid dates and a summary', () => {
    const days = rows.map(([, { date }]) => date)
    expect(days).toEqual(days.toSorted())
    for (const [id, { date, until, announced, summary }] of rows) {
      expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
      expect(summary, id).toMatch(/^[A-Z].{20,}\.$/)
      for (const day of [date, until, announced]) if (day !== undefined) expect(new Date(day).toISOString().slice(0, 10), id).toBe(day)
    }
  })

  it('name only existing rows', () => {
    const known = new Set([COMMANDS, EVENTS, ENDPOINTS, PERMISSIONS, LIMITS].flatMap((table) => Object.keys(table)))
    for (const [id, row] of rows) for (const name of row.rows) expect(known.has(name), `${id}: ${name}`).toBe(true)
  })

  it('contain the day on which a row became unavailable', { tags: ['9.2-1', '4.1-16'] }, () => {
    expect(ENDPOINTS.CREATE_GUILD.unavailable?.since).toBe('2025-07-15')
  })
})

describe('isInEffect', () => {
  it.each<[VersionId, number]>([
    ['voice-modes-discontinued', Date.UTC(2024, 10, 18)],
    ['upload-limit-lowered', Date.UTC(2025, 0, 16)],
    ['create-guild-unavailable', Date.UTC(2025, 6, 15)],
    ['member-profile-of-bots', Date.UTC(2025, 8, 10)],
    ['all-members-limit', Date.UTC(2025, 9, 1)],
    ['pin-needs-own-permission', Date.UTC(2026, 1, 23)],
    ['slowmode-needs-own-permission', Date.UTC(2026, 1, 23)],
    ['creating-needs-own-permissions', Date.UTC(2026, 1, 23)],
    ['calls-end-to-end-encrypted', Date.UTC(2026, 2, 1)],
    ['provider-a-connections-removed', Date.UTC(2026, 6, 10)],
    ['provider-b-connections-removed', Date.UTC(2026, 8, 22)],
    ['hidden-channels-omitted', Date.UTC(2026, 10, 16)],
  ])(
    '%s from the first millisecond of its day',
    { tags: ['8-9', '9.2-1', '9.2-2', '9.2-3', '9.2-5', '9.2-7', '9.2-8', '9.2-9', '9.2-10', '9.2-11', '9.2-12', '9.2-13'] },
    (id, from) => {
      expect([isInEffect(id, from - 1), isInEffect(id, from), isInEffect(id, from + 4000 * DAY_MS)]).toEqual([false, true, true])
    },
  )

  it('uses the later of two announced days', { tags: ['9.2-4'] }, () => {
    expect(VERSIONS['pin-needs-own-permission']).toMatchObject({ announced: '2026-01-12', date: '2026-02-23' })
    expect(isInEffect('pin-needs-own-permission', Date.UTC(2026, 0, 12))).toBe(false)
  })

  it('distinguishes begun changes from changes in effect', () => {
    const begun = (day: number) => hasBegun('entitlement-migration', day)
    expect([begun(Date.UTC(2024, 8, 30)), begun(Date.UTC(2024, 9, 1)), begun(Date.UTC(2026, 0, 1))]).toEqual([false, true, true])
  })

  it('ends for a temporary change', { tags: ['3-6'] }, () => {
    const holds = (day: number) => isInEffect('entitlement-migration', day)
    expect([
      holds(Date.UTC(2024, 8, 30)),
      holds(Date.UTC(2024, 9, 1)),
      holds(Date.UTC(2024, 10, 1) - 1),
      holds(Date.UTC(2024, 10, 1)),
    ]).toEqual([false, true, true, false])
  })
})

describe('the SDK support window', () => {
  it.each([
    ['July 2026', Date.UTC(2026, 6, 1)],
    ['November 2026', Date.UTC(2026, 10, 1)],
    ['November 2028', Date.UTC(2028, 10, 1)],
  ])('contains the five newest minors that a source names: 1.6 to 1.10 in %s', { tags: ['9.1-3'] }, (_, day) => {
    expect(sdkWindow(day)).toEqual({ oldest: 6, newest: 10 })
  })

  it('has three releases a year: April, July and November', { tags: ['9.1-2'] }, () => {
    expect(SDK_RELEASE_MONTHS).toEqual([4, 7, 11])
  })

  it('is unknown before July 2026', () => {
    expect(sdkWindow(Date.UTC(2026, 5, 30))).toBeUndefined()
    expect(sdkSupport('1.2.3', Date.UTC(2026, 5, 30))).toBe('unknown')
  })

  it.each([
    ['1.6.14448', 'supported'],
    ['1.10.18687', 'supported'],
    ['1.10', 'supported'],
    ['1.5.99999', 'ended'],
    ['0.9.1', 'ended'],
    ['1.11.1', 'newer'],
    ['2.0.0', 'newer'],
    ['dockside/1.2.3', 'unknown'],
    ['1', 'unknown'],
    ['1.10.18687-beta', 'unknown'],
    ['', 'unknown'],
  ])('%j in July 2026 is %s', { tags: ['9.1-1', '9.1-3'] }, (version, expected) => {
    expect(sdkSupport(version, Date.UTC(2026, 6, 31))).toBe(expected)
  })

  it('does not move with a release month alone: no source names 1.11', { tags: ['9.1-2'] }, () => {
    expect(sdkSupport('1.6.14448', Date.UTC(2026, 10, 1))).toBe('supported')
    expect(sdkSupport('1.11.1', Date.UTC(2026, 10, 1))).toBe('newer')
  })
})
