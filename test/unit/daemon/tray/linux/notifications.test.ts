/** Clicks on notifications: who may report them, when they count, and how often. */
import { beforeEach, expect, test } from 'vitest'
import type { NoticeAnswer } from '#daemon/src/tray/host.ts'
import { Notifications } from '#daemon/src/tray/linux/notifications.ts'
import type { SessionBus, SignalListener } from '#daemon/src/tray/linux/session-bus.ts'
import { FakeClock } from '#test/support/fake-clock.ts'

const SERVICE = ':1.7'
const READABLE_MS = 700
const NOTICE = { key: 'ab12', title: 'A program', body: 'Application: 42', hint: '', isAnswerable: true }

let clock: FakeClock
let listeners: Map<string, SignalListener>
let owner: (hasOwner: boolean) => void
let calls: (readonly unknown[])[]
let answers: (readonly [string, NoticeAnswer])[]
let ours: Notifications

const turn = () => new Promise((resolve) => setImmediate(resolve))

beforeEach(async () => {
  clock = new FakeClock()
  listeners = new Map()
  calls = []
  answers = []
  let lastId = 0
  const bus: Pick<SessionBus, 'onSignal' | 'onOwner' | 'call' | 'callFor'> = {
    onSignal: async (_path, _iface, member, listener) => void listeners.set(member, listener),
    onOwner: async (_name, listener) => {
      owner = listener
    },
    call: async ({ member, body = [] }) => void calls.push([member, ...body]),
    callFor: async ({ member, body = [] }) => {
      calls.push([member, body[5]])
      return { value: ++lastId, sender: SERVICE }
    },
  }
  ours = new Notifications(clock, (key, answer) => void answers.push([key, answer]))
  await ours.start(bus)
})

const click = (id: unknown, action: unknown, sender = SERVICE) => listeners.get('ActionInvoked')?.([id, action], sender)
async function shown(isAnswerable = true): Promise<void> {
  ours.notify({ ...NOTICE, isAnswerable })
  await turn()
  clock.advance(READABLE_MS)
}

test.each(['allow', 'deny'] as const)('%s counts once', async (answer) => {
  await shown()
  click(1, answer)
  click(1, answer)
  click(1, 'default')
  expect(answers).toEqual([['ab12', answer]])
})

test.each([
  ['another program', 1, ':1.9'],
  ['the name of the service, which no sender has', 1, 'org.freedesktop.Notifications'],
  ['no sender', 1, ''],
  ['the service, with the id of another program’s notification', 2, SERVICE],
  ['the service, with an id that is none', '1', SERVICE],
])('a click that comes from %s counts for nothing', async (_, id, sender) => {
  await shown()
  click(id, 'allow', sender)
  expect(answers).toEqual([])
  click(1, 'allow')
  expect(answers).toHaveLength(1)
})

test('before a person can have read it, a click only opens the dashboard', async () => {
  ours.notify(NOTICE)
  await turn()
  clock.advance(READABLE_MS - 1)
  click(1, 'allow')
  expect(answers).toEqual([['ab12', 'open']])
})

test.each(['default', 'open', 'allow', 'deny', 'other', 7])('what cannot be answered there is opened by %s', async (action) => {
  await shown(false)
  expect(calls).toEqual([['Notify', ['default', '', 'open', 'Open']]])
  click(1, action)
  expect(answers).toEqual([['ab12', 'open']])
})

test('a notification that was closed is not clicked, and is closed by its service alone', async () => {
  await shown()
  listeners.get('NotificationClosed')?.([1, 2], ':1.9')
  ours.withdraw('ab12')
  expect(calls.at(-1)).toEqual(['CloseNotification', 1])
  click(1, 'allow')
  expect(answers).toEqual([])
})

test('another service shows what is open again, and the old id counts no more', async () => {
  await shown()
  owner(false)
  click(1, 'allow')
  owner(true)
  await turn()
  clock.advance(READABLE_MS)
  expect(calls.filter(([member]) => member === 'Notify')).toHaveLength(2)
  click(1, 'allow')
  expect(answers).toEqual([])
  click(2, 'allow')
  expect(answers).toEqual([['ab12', 'allow']])
})

test('what comes while the bus is set up is shown once', async () => {
  const late = new Notifications(clock, () => {})
  let notified = 0
  const starting = late.start({
    onSignal: async () => {},
    onOwner: async () => {},
    call: async () => {},
    callFor: async () => ({ value: ++notified, sender: SERVICE }),
  })
  late.notify(NOTICE)
  await starting
  await turn()
  expect(notified).toBe(1)
})

test('what was answered while the desktop drew it is closed', async () => {
  ours.notify(NOTICE)
  ours.withdraw('ab12')
  await turn()
  expect(calls.at(-1)).toEqual(['CloseNotification', 1])
})
