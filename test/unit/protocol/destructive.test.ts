import { COMMANDS, type CommandRow } from '@sallyport/protocol'
import { expect, test } from 'vitest'

const rows: readonly CommandRow[] = Object.values(COMMANDS)
/** Replaces all records, and users lose the values that belong to removed ones. */
const REPLACES_ALL = 'UPDATE_APPLICATION_ROLE_CONNECTION_METADATA_RECORDS'
const TAKES_AWAY = /^(?:DELETE|REMOVE|LEAVE|UNPIN|BULK|REVOKE|FORGET|UNMERGE|CONSUME)_|PRUNE$/

test('destructive rows are marked, and no other rows', () => {
  const named = rows.filter(({ name }) => TAKES_AWAY.test(name) || name === REPLACES_ALL).map(({ name }) => name)
  expect(named.length).toBeGreaterThan(20)
  expect(
    rows
      .filter(({ destructive }) => destructive === true)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(named.toSorted())
})
