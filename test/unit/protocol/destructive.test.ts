import { COMMANDS, type CommandRow } from '@sallyport/protocol'
import { expect, test } from 'vitest'

const rows: readonly CommandRow[] = Object.values(COMMANDS)
const TAKES_AWAY = /^(?:DELETE|REMOVE|LEAVE|UNPIN|BULK|REVOKE|FORGET|UNMERGE|CONSUME)_|PRUNE$/

test('destructive rows are marked, and no other rows', () => {
  const named = rows.filter(({ name }) => TAKES_AWAY.test(name)).map(({ name }) => name)
  expect(named.length).toBeGreaterThan(20)
  expect(
    rows
      .filter(({ destructive }) => destructive === true)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(named.toSorted())
})
