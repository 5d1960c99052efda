import { beforeEach, expect, test } from 'vitest'
import { newestOfApplication } from '../../../../daemon/src/presence/newest-of-application.ts'
import type { Presence } from '../../../../daemon/src/presence/sink.ts'

let told: [applicationId: string, details: string | undefined][]
let show: ReturnType<typeof newestOfApplication>
beforeEach(() => {
  told = []
  show = newestOfApplication((applicationId, presence) => told.push([applicationId, presence?.stored.activity.details ?? undefined]))
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
const take = (): unknown[] => told.splice(0)

test('the newest of an application is told, and the one before when it goes', () => {
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

test('what is not the newest comes and goes without a word', () => {
  set(presence('ada', 'of ada', 2))
  take()
  set(presence('grace', 'of grace', 1))
  clear('grace')
  clear('nobody')
  clear('ada', 'other')
  expect(take()).toEqual([])
})

test('what is told again is told again, and only that', () => {
  const [older, newer] = [presence('ada', 'older', 1), presence('grace', 'newer', 2)]
  for (const one of [older, newer, older, newer]) set(one)
  expect(take()).toEqual([
    ['app', 'older'],
    ['app', 'newer'],
    ['app', 'newer'],
  ])
})

test('what passes to another player in between is never cleared', () => {
  set(presence(undefined, 'of nobody', 1))
  set(presence('ada', 'of ada', 1))
  clear(undefined)
  expect(take()).toEqual([
    ['app', 'of nobody'],
    ['app', 'of ada'],
  ])
})
