import { expect, test } from 'vitest'
import { OpenPages } from '../../../../daemon/src/dashboard/open-pages.ts'

test('a page is listed while it is open, without what nobody may see', async () => {
  const pages = new OpenPages()
  const opened: string[] = []
  const surface = { open: async (page: URL) => void opened.push(page.href) }
  const shown = (page: URL) => new URL(page.pathname, page)
  const watching = pages.watching(surface, shown, () => 5)
  const [one, two] = [new AbortController(), new AbortController()]
  await watching.open(new URL('https://x.test/a?rpc_token=planted'), one.signal)
  await watching.open(new URL('https://x.test/b'), two.signal)
  await watching.open(new URL('https://x.test/c'), AbortSignal.abort())
  expect(pages.all()).toEqual([
    { url: 'https://x.test/a', since: 5 },
    { url: 'https://x.test/b', since: 5 },
  ])
  expect(opened[0]).toContain('planted')
  one.abort()
  expect(pages.all()).toEqual([{ url: 'https://x.test/b', since: 5 }])
})
