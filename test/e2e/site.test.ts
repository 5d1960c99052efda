/** The site of the documents, made by its command and served below a folder: search, tabs, links, colours, widths, and no request to elsewhere. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../architecture/source-tree.ts'
import { executablePath, NO_BROWSER, openBrowser, type OpenBrowser } from './support/browser.ts'

const run = promisify(execFile)
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const BASE = '/any/folder/'
const MINUTES_MS = 300_000
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

const missing =
  process.env['TEST_SITE'] === undefined
    ? 'takes a minute: npm run test:long -- site'
    : executablePath === undefined
      ? NO_BROWSER
      : undefined

interface Finding {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

const command = (out: string) => run(process.execPath, [join(ROOT, 'daemon/docs/site/main.ts'), '--out', out], { cwd: ROOT })

describe.skipIf(missing !== undefined)(`the site${missing === undefined ? '' : ` (${missing})`}`, () => {
  let scratch = ''
  let out = ''
  let said = ''
  let server: Server
  let base = ''
  let browser: OpenBrowser
  /** Requests that left the site, and those that it could not answer. */
  const strays: string[] = []

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'site-'))
    out = join(scratch, 'site')
    said = (await command(out)).stdout
    server = createServer(({ url = '' }, response) => {
      const path = decodeURIComponent(new URL(url, 'http://site').pathname)
      try {
        if (!path.startsWith(BASE)) throw new Error('outside')
        const file = join(out, path.slice(BASE.length))
        const named = statSync(file).isDirectory() ? join(file, 'index.html') : file
        response.writeHead(200, { 'content-type': TYPES[extname(named)] ?? 'application/octet-stream' }).end(readFileSync(named))
      } catch {
        strays.push(path)
        response.writeHead(404).end()
      }
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`
    browser = await openBrowser()
  }, MINUTES_MS)
  afterAll(async () => {
    await browser?.close()
    server?.close()
    rmSync(scratch, { recursive: true, force: true })
  })

  async function open(path: string): Promise<Page> {
    const page = await browser.newPage()
    page.on('request', (request) => request.url().startsWith(base) || strays.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && strays.push(message.text()))
    page.on('pageerror', (error) => strays.push(error.message))
    await page.goto(base + path)
    return page
  }

  const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

  test('has every document, and says so', () => {
    expect(said).toMatch(/^\d+ documents and \d+ pages of source code in .*\n\d+ links lead somewhere, /m)
    expect(readFileSync(join(out, 'llms.txt'), 'utf8')).toContain('- [Use it with your game](guides/your-game.md): ')
    expect(readFileSync(join(out, 'guides/your-game.md'), 'utf8')).toContain('[a typed client](../clients/ts/index.md)')
    expect(readFileSync(join(out, 'llms-full.txt'), 'utf8').length).toBeGreaterThan(500_000)
  })

  test('refuses a folder with other files', async () => {
    const other = mkdtempSync(join(scratch, 'other-'))
    writeFileSync(join(other, 'mine.txt'), '')
    await expect(command(other)).rejects.toThrow('holds other files')
  })

  test('finds a command by its name', async () => {
    const page = await open('guides/your-game.html')
    await page.keyboard.press('/')
    await page.keyboard.type('AUTHORIZE')
    const named = page.locator('#found ol ol a').first()
    await named.waitFor()
    expect(await named.textContent()).toBe('AUTHORIZE')
    await page.locator('#found a').first().press('Escape')
    expect(await page.locator('#found').isVisible()).toBe(false)
    await page.getByRole('searchbox').fill('AUTHORIZE')
    await page.getByRole('link', { name: 'AUTHORIZE', exact: true }).first().click()
    await page.waitForURL(`${base}reference/commands/authorize.html#authorize`)
    expect(await page.getByRole('heading', { name: 'AUTHORIZE', exact: true }).isVisible()).toBe(true)
  })

  test('shows a call in the language that the reader chose, on every page', async () => {
    const page = await open('reference/commands/authorize.html')
    const groups = page.locator('.samples')
    expect(await groups.count()).toBeGreaterThan(3)
    expect(await groups.nth(1).getByRole('tabpanel').textContent()).toContain("client.call('AUTHORIZE'")
    await groups.first().getByRole('tab', { name: 'TypeScript' }).press('ArrowLeft')
    expect(await groups.nth(1).getByRole('tabpanel').textContent()).toContain('"cmd":"AUTHORIZE"')
    await groups.nth(1).getByRole('tab', { name: 'Python' }).click()
    await page.goto(`${base}clients/index.html`)
    expect(await page.getByRole('tabpanel').textContent()).toContain('sallyport.AsyncClient(')
  })

  test.each(['index.html', 'clients/index.html', 'reference/commands/authorize.html', 'guides/fleets.html'])(
    'can be read by everyone, in light and dark, also at 320 pixels: %s',
    async (path) => {
      const page = await open(path)
      const policy = await page.locator('meta[http-equiv]').getAttribute('content')
      expect(policy).toContain("default-src 'none'")
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          // The protocol of the browser runs it, which no policy of the page forbids.
          await page.evaluate(AXE)
          const found = await page.evaluate<readonly Finding[]>('axe.run().then(({ violations }) => violations)')
          const findings = found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
          expect({ width, colorScheme, wide: await isWide(page), findings }).toEqual({ width, colorScheme, wide: false, findings: [] })
        }
      }
    },
  )

  test('asked no other host, and nothing that is not there', () => {
    expect(strays).toEqual([])
  })
})
