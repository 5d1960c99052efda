import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { link } from '#daemon/src/cli/link.ts'
import { EMPTY_STATE, GAME } from '#test/support/bridge-state.ts'
import { fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'
import { tableOf } from './table-of.ts'

let directory: string
let close: (() => Promise<void>) | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-link-'))
})
afterEach(async () => {
  await close?.()
  close = undefined
  rmSync(directory, { recursive: true })
})

/** A bridge with subscribed games by application; returns the ids of the notified ones. */
async function serve(listening: readonly string[], done = true): Promise<() => readonly string[]> {
  const game = (application_id: string, subscriptions: string[]) => ({ ...GAME, application_id, subscriptions })
  const games = [game('9', ['ACTIVITY_JOIN']), ...listening.map((application) => game(application, ['AUTHORIZE_REQUEST']))]
  const bridge = await fakeBridge(directory, {
    WATCH_BRIDGE: { data: { ...EMPTY_STATE, games } },
    OPERATE_BRIDGE: { data: { done } },
  })
  close = () => bridge.close()
  return () =>
    bridge.asked
      .filter(({ cmd }) => cmd === 'OPERATE_BRIDGE')
      .map(({ args }) => args as { readonly action: string; readonly id: string })
      .map(({ action, id }) => (action === 'link' ? id : action))
}

async function line(...words: readonly string[]) {
  const io = fakeIo()
  const exitCode = await runCli(['link', ...words, '--data-dir', join(directory, 'data')], io, tableOf(link))
  return { exitCode, printed: io.printed.join('\n'), said: io.said.join('\n') }
}

test('notifies the only subscribed game, even with several connections', { tags: ['5-24'] }, async () => {
  const asked = await serve(['7', '7'])
  expect(await line()).toMatchObject({ exitCode: EXIT.ok, printed: expect.stringContaining('application 7') })
  expect(await line('--json')).toMatchObject({ exitCode: EXIT.ok, printed: '{"asked":"7"}' })
  expect(asked()).toEqual(['7', '7'])
})

test('notifies only the selected game', async () => {
  const asked = await serve(['7', '8'])
  expect(await line('--application', '8')).toMatchObject({ exitCode: EXIT.ok })
  expect(asked()).toEqual(['8'])
})

test('with games of several applications requires a selection', async () => {
  const asked = await serve(['7', '8'])
  expect(await line()).toMatchObject({ exitCode: EXIT.usage, said: expect.stringContaining('--application: 7, 8') })
  expect(asked()).toEqual([])
})

test('reports if no game is subscribed', async () => {
  await serve([], false)
  expect(await line()).toMatchObject({ exitCode: EXIT.refused, said: expect.stringContaining('AUTHORIZE_REQUEST') })
  expect(await line('--application', '9')).toMatchObject({ exitCode: EXIT.refused, said: expect.stringContaining('application 9') })
})

test('without a bridge prints how to start one', async () => {
  expect(await line()).toMatchObject({ exitCode: EXIT.noDaemon, said: expect.stringContaining('sallyport run') })
})
