/** How a tab of a real browser is admitted, and what another user's server on the port learns: nothing. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { describe, expect, test } from 'vitest'
import { Secret } from '@sallyport/core/secret'
import { dashboardUrl } from '@sallyport/core/storage/daemon-addresses'
import { PROMPT } from '#test/support/bridge-state.ts'
import { DashboardWorld, status } from './support/dashboard-world.ts'

const world = new DashboardWorld()

describe('the key of a tab', () => {
  test('the code leaves the address bar, and nothing of it is stored in the browser', async () => {
    const page = await world.open((await world.serve('entry-code')).url)
    await status(page, 'live')
    expect(page.url()).not.toContain('entry-code')
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')).toBe('[{},{},""]')
  })

  test('an address opens one tab', async () => {
    const { url } = await world.serve()
    await status(await world.open(url), 'live')
    const second = await world.open(url)
    await second.getByText('This tab is not connected to Sallyport').waitFor()
    expect(await second.locator('section#games').count()).toBe(0)
  })

  test('a tab that is loaded again is admitted while its daemon runs', async () => {
    const page = await world.open((await world.serve()).url)
    await status(page, 'live')
    await page.reload()
    await status(page, 'live')
    await page.reload()
    await status(page, 'live')
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  test('a tab goes on when the daemon starts again at its port', async () => {
    const first = await world.serve()
    const page = await world.open(first.url)
    await status(page, 'live')
    await first.close()
    await status(page, 'not connected')
    await world.serve('second', first.port)
    await status(page, 'live')
    world.publisher.publish({ prompts: [PROMPT] })
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect.poll(() => world.answers).toEqual(['deny ab12'])
  })

  test('the address of another daemon, opened in the same tab, connects it', async () => {
    const first = await world.serve()
    const page = await world.open(first.url)
    await status(page, 'live')
    await first.close()
    const second = await world.serve('second', first.port, 'another master')
    await status(page, 'not connected')
    // The same document to the browser, which does not load it anew.
    await page.goto(second.url)
    await status(page, 'live')
    expect(page.url()).not.toContain('second')
  })

  /** A server of another user that takes the port: it answers everything, and notes what it is sent. */
  async function impostor(port: number, body: string): Promise<{ readonly seen: string[]; readonly close: () => Promise<unknown> }> {
    const seen: string[] = []
    const server: Server = createServer((request, response) => {
      seen.push([request.method, request.url, ...request.rawHeaders].join(' '))
      request.resume()
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
    }).listen(port, '127.0.0.1')
    await once(server, 'listening')
    const close = async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
    return { seen, close }
  }

  test.each([
    ['claims a proof', JSON.stringify({ nonce: 'n'.repeat(43), proof: 'p'.repeat(43) })],
    ['says something else', '[]'],
  ])("another user's server on the port, which %s, gets nothing, and the tab goes on with the daemon afterwards", async (_, body) => {
    const first = await world.serve('entry-code')
    const page = await world.open(first.url)
    await status(page, 'live')
    await first.close()
    await status(page, 'not connected')
    const { seen, close } = await impostor(first.port, body)
    await page.getByText('Another program answers in place of Sallyport').waitFor()
    expect(seen.filter((request) => !/^POST \/api\/greeting\?id=[\w-]{22}&challenge=[\w-]{43} /.test(request))).toEqual([])
    expect(seen.join('\n')).not.toMatch(/authorization|cookie|entry-code/i)
    await close()
    await world.serve('second', first.port)
    await status(page, 'live')
  })

  test("a page of another user's server, loaded in the tab, finds no secret there", async () => {
    const first = await world.serve('entry-code')
    const page = await world.open(first.url)
    await status(page, 'live')
    await first.close()
    await status(page, 'not connected')
    const { close } = await impostor(first.port, '[]')
    await page.reload()
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.hash])')).toBe(
      '[{},{},"",""]',
    )
    await close()
  })

  test('an address that another server answers at gets no code', async () => {
    const former = await world.serve()
    await former.close()
    const { seen, close } = await impostor(former.port, '[]')
    const real = await world.serve('entry-code')
    // The page of the daemon, as if it had come from there; what it sends goes to the port of the impostor.
    const page = await world.blank()
    await page.route(`http://127.0.0.1:${former.port}/`, async (route) =>
      route.fulfill({ response: await route.fetch({ url: `http://127.0.0.1:${real.port}/` }) }),
    )
    await page.goto(dashboardUrl(former.port, new Secret('entry-code'), 'code'))
    await page.getByText('Another program answers in place of Sallyport').waitFor()
    expect(seen.join('\n')).not.toMatch(/authorization|entry-code/i)
    await close()
  })
})
