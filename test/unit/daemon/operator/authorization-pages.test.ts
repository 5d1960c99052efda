import { expect, test } from 'vitest'
import { AuthorizationPages } from '#daemon/src/operator/authorization-pages.ts'

test('a page is listed while it is open, with its program', async () => {
  const pages = new AuthorizationPages()
  const opened: string[] = []
  let changes = 0
  pages.changed.on(() => void changes++)
  const surface = { open: async (page: URL) => opened.push(page.href) !== 2 }
  const linesOf = ({ program }: { readonly program: string; readonly pid: number | undefined }) => [{ label: 'Program', text: program }]
  const watching = pages.track(surface, { linesOf, now: () => 5 })
  const of = (program: string) => ({ program, pid: 7 })
  const [one, two] = [new AbortController(), new AbortController()]
  await watching.open(new URL('https://x.test/a'), one.signal, of('/games/a'))
  await watching.open(new URL('https://x.test/b'), two.signal, of('/games/b'))
  await watching.open(new URL('https://x.test/c'), AbortSignal.abort(), of('/games/c'))
  expect(pages.all()).toEqual([
    { url: 'https://x.test/a', lines: [{ label: 'Program', text: '/games/a' }], openedAt: 5, pid: 7, browser: 'started' },
    { url: 'https://x.test/b', lines: [{ label: 'Program', text: '/games/b' }], openedAt: 5, pid: 7, browser: 'missing' },
  ])
  expect([opened.length, changes]).toEqual([3, 4])
  one.abort()
  expect(changes).toBe(5)
  expect(pages.all()).toEqual([
    { url: 'https://x.test/b', lines: [{ label: 'Program', text: '/games/b' }], openedAt: 5, pid: 7, browser: 'missing' },
  ])
})
