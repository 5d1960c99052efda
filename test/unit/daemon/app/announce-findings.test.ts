import { expect, test } from 'vitest'
import { announceFindings } from '#daemon/src/app/announce-findings.ts'
import { LifecycleEvents } from '#daemon/src/sessions/lifecycle.ts'
import type { Session } from '#daemon/src/sessions/session.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const FINDING = { applicationId: '42', rule: 'scope-approval', count: 1, message: 'The game asked for rpc (once).', remedy: 'Ask for it.' }

function start() {
  const lifecycle = new LifecycleEvents()
  const log = new RecordingLog()
  const said: string[] = []
  const connected = new Set<number>()
  let findings = [FINDING]
  const registry = { find: (id: number) => (connected.has(id) ? ({} as Session) : undefined) }
  announceFindings({ findings: { current: () => findings }, lifecycle, registry, log, announce: (text) => said.push(text) })
  const changed = (id: number, applicationId: string) =>
    lifecycle.emit('sessionChanged', { applicationId, connection: { id } } as unknown as Session)
  return { said, log, connected, changed, set: (next: (typeof FINDING)[]) => (findings = next) }
}

test('a game that leaves hears of its own findings, each once until there are more', () => {
  const { said, log, connected, changed, set } = start()
  connected.add(1)
  changed(1, '42')
  expect(said).toEqual([])
  changed(2, '43')
  expect(said).toEqual([])
  connected.clear()
  changed(1, '42')
  expect(said).toEqual([
    'Application 42 left the relaxed sandbox. The platform would refuse what it did:\n  - The game asked for rpc (once). Ask for it.',
  ])
  expect(log.text).toContain('sandbox-finding')
  changed(1, '42')
  expect(said).toHaveLength(1)
  set([{ ...FINDING, count: 2, message: 'The game asked for rpc (2 times).' }])
  changed(1, '42')
  expect(said).toHaveLength(2)
})
