import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Opener } from '@sallyport/core/os/openers'
import { systemBrowser } from '#daemon/src/auth/pages/system-browser.ts'
import { REQUESTER } from '#test/support/requester.ts'

const URL_TO_OPEN = new URL('http://127.0.0.1:4/oauth2/authorize?state=a b&x=$(id)`id`;"\'')
const never = new AbortController().signal
const running = (script: string, ...rest: string[]): Opener => [process.execPath, '-e', script, ...rest]
const missing: Opener = ['no-such-program-anywhere']
const failing = running('process.exit(3)')

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'browser-'))
})
afterEach(() => rm(directory, { recursive: true }))

const noting = (file: string) => running('require("node:fs").writeFileSync(process.argv[1], process.argv[2])', file)

describe('systemBrowser', () => {
  it('passes the address whole to the first opener that works, without a shell', async () => {
    const file = join(directory, 'opened')
    const announced: unknown[] = []
    const announce = (...shown: unknown[]) => {
      announced.push(...shown)
      return false
    }
    const isOpened = await systemBrowser({
      showAddress: announce,
      openers: [missing, failing, noting(file), noting(`${file}.second`)],
    }).open(URL_TO_OPEN, never, REQUESTER)
    expect(isOpened).toBe(true)
    expect(await readFile(file, 'utf8')).toBe(URL_TO_OPEN.href)
    await expect(readFile(`${file}.second`)).rejects.toThrow()
    expect(announced).toEqual([URL_TO_OPEN, REQUESTER])
  })

  it('says what to do when none can be started', async () => {
    await expect(
      systemBrowser({ showAddress: () => false, openers: [missing, failing] }).open(URL_TO_OPEN, never, REQUESTER),
    ).rejects.toMatchObject({
      error: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('by hand') as string,
    })
  })

  it('leaves the page to the person who sees its address', async () => {
    expect(await systemBrowser({ showAddress: () => true, openers: [missing] }).open(URL_TO_OPEN, never, REQUESTER)).toBe(false)
  })

  it('does not wait longer than the authorization for an opener that stays', async () => {
    const over = new AbortController()
    const file = join(directory, 'pid')
    const staying = running('require("node:fs").writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)', file)
    const outcome = systemBrowser({ showAddress: () => false, openers: [staying, failing] }).open(URL_TO_OPEN, over.signal, REQUESTER)
    let pid = ''
    while (pid === '') pid = await readFile(file, 'utf8').catch(() => '')
    over.abort()
    await outcome
    // The browser is the user's own and lives on.
    expect(process.kill(Number(pid), 0)).toBe(true)
    process.kill(Number(pid), 'SIGKILL')
  })
})
