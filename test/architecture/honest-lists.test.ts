/** The README names what rests on requests that no public document describes, and links what the tables know about gaps. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMANDS, type CommandRow, ENDPOINT_FAMILIES, type EndpointRow } from '@sallyport/protocol'
import { expect, test } from 'vitest'
import { ROOT } from './source-tree.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const notThere = (textOf('README.md').split('## Not there yet')[1] ?? '').replaceAll(/\s+/g, ' ')
const REFERENCE = 'protocol/generated/reference'

/** By family of endpoint rows: what its undocumented requests give a game, in the words of the README. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'headless-sessions': ['Presence without the desktop client', 'join secrets'],
  'user-messages': ['direct messages', 'invites'],
  relationships: ['relationships'],
  users: ['game identities'],
  account: ['online status', 'display name'],
}

test('the README names each family with undocumented requests', () => {
  const observed = Object.entries<Readonly<Record<string, EndpointRow>>>(ENDPOINT_FAMILIES)
    .filter(([, rows]) => Object.values(rows).some(({ provenance }) => provenance === 'observed'))
    .map(([family]) => family)
  expect(observed.toSorted()).toEqual(Object.keys(WORDS).toSorted())
  for (const word of Object.values(WORDS).flat()) expect(notThere).toContain(word)
})

test.each(['undocumented.md', 'without-client.md', 'left-out.md'])('the README links %s', (page) => {
  expect(notThere).toContain(`${REFERENCE}/${page}`)
})

test('the page of questions has each that needs the desktop client, and each with less without it', () => {
  const page = textOf(`${REFERENCE}/without-client.md`)
  const rows = Object.values<CommandRow>(COMMANDS).filter(({ name }) => name.startsWith('GET_'))
  const listed = rows.filter(({ handledBy, withoutClient }) => handledBy === 'desktop-client' || withoutClient !== undefined)
  expect(listed.length).toBeGreaterThan(10)
  for (const { name } of listed) expect(page).toContain(`[${name}]`)
})
