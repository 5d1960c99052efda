import { expect, test } from 'vitest'
import { OpenPages } from '../../../../daemon/src/dashboard/open-pages.ts'

test('a page is listed while it is open', async () => {
  const pages = new OpenPages()
  const opened: string[] = []
  const surface = { open: async (page: URL) => void opened.push(page.href) }
  const watching = pages.watching(surface, () => 5)
  const [one, two] = [new AbortController(), new AbortController()]
  await watching.open(new URL('https://x.test/a'), one.signal)
  await watching.open(new URL('https://x.test/b'), two.signal)
  await watching.open(new URL('https://x.test/c'), AbortSignal.abort())
  expect(pages.all()).toEqual([
    { url: 'https://x.test/a', since: 5 },
    { url: 'https://x.test/b', since: 5 },
  ])
  expect(opened).toHaveLength(3)
  one.abort()
  expect(pages.all()).toEqual([{ url: 'https://x.test/b', since: 5 }])
})
