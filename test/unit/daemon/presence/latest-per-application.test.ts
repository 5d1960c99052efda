import { beforeEach, expect, test } from 'vitest'
import { latestPerApplication } from '#daemon/src/presence/latest-per-application.ts'
import type { Presence } from '#daemon/src/presence/sink.ts'

let sent: [applicationId: string, details: string | undefined][]
let show: ReturnType<typeof latestPerApplication>
beforeEach(() => {
  sent = []
  show = latestPerApplication((applicationId, presence) => sent.push([applicationId, presence?.stored.activity.details ?? undefined]))
})

const presence = (userId: string | undefined, details: string, since: number, applicationId = 'app'): Presence => ({
  applicationId,
  userId,
  sessionId: 1,
  claimedPid: undefined,
  stored: { activity: { name: '', type: 0, details }, secrets: undefined },
  since,
})
const set = (one: Presence): void => show(one, one)
const clear = (userId: string | undefined, applicationId = 'app'): void => show({ applicationId, userId }, undefined)
const take = (): unknown[] => sent.splice(0)

test('the latest presence of an application is sent, and the previous one after it is cleared', () => {
  set(presence('ada', 'of ada', 1))
  set(presence('grace', 'of grace', 2))
  set(presence('ada', 'elsewhere', 1, 'other'))
  expect(take()).toEqual([
    ['app', 'of ada'],
    ['app', 'of grace'],
    ['other', 'elsewhere'],
  ])
  clear('grace')
  clear('ada')
  expect(take()).toEqual([
    ['app', 'of ada'],
    ['app', undefined],
  ])
})

test('an older presence is set and cleared without an update', () => {
  set(presence('ada', 'of ada', 2))
  take()
  set(presence('grace', 'of grace', 1))
  clear('grace')
  clear('unknown')
  clear('ada', 'other')
  expect(take()).toEqual([])
})

test('a presence that is sent again is passed on again, and no other', () => {
  const [older, newer] = [presence('ada', 'older', 1), presence('grace', 'newer', 2)]
  for (const one of [older, newer, older, newer]) set(one)
  expect(take()).toEqual([
    ['app', 'older'],
    ['app', 'newer'],
    ['app', 'newer'],
  ])
})

test('a presence that moves to another owner is not cleared in between', () => {
  set(presence(undefined, 'of no user', 1))
  set(presence('ada', 'of ada', 1))
  clear(undefined)
  expect(take()).toEqual([
    ['app', 'of no user'],
    ['app', 'of ada'],
  ])
})
