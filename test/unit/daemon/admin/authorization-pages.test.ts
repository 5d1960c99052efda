import { expect, test } from 'vitest'
import { AuthorizationPages } from '#daemon/src/admin/authorization-pages.ts'

test('a page is listed while it is open, with its program', async () => {
  const pages = new AuthorizationPages()
  const opened: string[] = []
  const surface = { open: async (page: URL) => void opened.push(page.href) }
  const watching = pages.track(surface, { linesOf: (who: string) => [{ label: 'Program', text: who }], now: () => 5 })
  const [one, two] = [new AbortController(), new AbortController()]
  await watching.open(new URL('https://x.test/a'), one.signal, '/games/a')
  await watching.open(new URL('https://x.test/b'), two.signal, '/games/b')
  await watching.open(new URL('https://x.test/c'), AbortSignal.abort(), '/games/c')
  expect(pages.all()).toEqual([
    { url: 'https://x.test/a', lines: [{ label: 'Program', text: '/games/a' }], since: 5 },
    { url: 'https://x.test/b', lines: [{ label: 'Program', text: '/games/b' }], since: 5 },
  ])
  expect(opened).toHaveLength(3)
  one.abort()
  expect(pages.all()).toEqual([{ url: 'https://x.test/b', lines: [{ label: 'Program', text: '/games/b' }], since: 5 }])
})
