import { expect, test } from 'vitest'
import { AuthorizationPages } from '#daemon/src/operator/authorization-pages.ts'

test('a page is listed while it is open, with its program', async () => {
  const pages = new AuthorizationPages()
  const opened: string[] = []
  let changes = 0
  pages.changed.on(() => void changes++)
  const surface = { open: async (page: URL) => void opened.push(page.href) }
  const watching = pages.track(surface, { linesOf: (who: string) => [{ label: 'Program', text: who }], now: () => 5 })
  const [one, two] = [new AbortController(), new AbortController()]
  await watching.open(new URL('https://x.test/a'), one.signal, '/games/a')
  await watching.open(new URL('https://x.test/b'), two.signal, '/games/b')
  await watching.open(new URL('https://x.test/c'), AbortSignal.abort(), '/games/c')
  expect(pages.all()).toEqual([
    { url: 'https://x.test/a', lines: [{ label: 'Program', text: '/games/a' }], openedAt: 5 },
    { url: 'https://x.test/b', lines: [{ label: 'Program', text: '/games/b' }], openedAt: 5 },
  ])
  expect([opened.length, changes]).toEqual([3, 2])
  one.abort()
  expect(changes).toBe(3)
  expect(pages.all()).toEqual([{ url: 'https://x.test/b', lines: [{ label: 'Program', text: '/games/b' }], openedAt: 5 }])
})
