import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Script } from 'node:vm'
import { BridgeError } from '@sallyport/core/errors'
import type { BridgeState } from '@sallyport/protocol'
import { afterEach, describe, expect, test } from 'vitest'
import { filesOf } from '#test/architecture/source-tree.ts'
import { SAMPLE_STATE } from '#test/support/bridge-state.ts'
import { peersOf } from '#test/support/tcp-peers.ts'
import { bearer, clock, closers, requestOn, start, TOKEN } from './served.ts'

const MAX_STREAMS = 16
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  expect(clock.pending).toBe(0)
})

describe('the state', () => {
  test('is returned with the token', async () => {
    const { ask } = await start()
    const { status, body, headers } = await ask('/api/state', bearer(TOKEN))
    expect(status).toBe(200)
    expect(JSON.parse(body)).toEqual(SAMPLE_STATE)
    expect(headers['cache-control']).toBe('no-store')
  })

  test.each([
    ['without a token', {}],
    ['with a wrong token', bearer('the-token-of-this-rum')],
    ['with a longer token', bearer(`${TOKEN}x`)],
    ['with another scheme', { authorization: `Basic ${TOKEN}` }],
    ['with the token in the address', {}],
  ])('is rejected %s', async (_, headers) => {
    const { ask } = await start(async () => {
      throw new Error('must not be asked')
    })
    const { status, body } = await ask(`/api/state?token=${TOKEN}`, headers)
    expect(status).toBe(401)
    expect(body).not.toContain('42')
  })

  test('that cannot be read is an error, and the server keeps running', async () => {
    const { ask } = await start(async () => {
      throw new Error('planted-value')
    })
    const { status, body } = await ask('/api/state', bearer(TOKEN))
    expect(status).toBe(500)
    expect(body).not.toContain('planted-value')
    expect((await ask('/')).status).toBe(200)
  })
})

test('an error with a sentence is shown', async () => {
  const { ask } = await start(async () => {
    throw new BridgeError('SERVICE_UNAVAILABLE', 'The disk is full.')
  })
  expect(await ask('/api/state', bearer(TOKEN))).toMatchObject({ status: 503, body: 'The disk is full.' })
})

describe('the stream of states', () => {
  const PATH = '/api/state/stream'
  /** The head of the response, and its text so far. */
  async function open(port: number, headers: Record<string, string> = bearer(TOKEN)) {
    const call = request({ host: '127.0.0.1', port, path: PATH, headers, agent: false }).end()
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    const read = { text: '' }
    response.setEncoding('utf8').on('data', (part: string) => (read.text += part))
    const states = () =>
      read.text
        .split('\n\n')
        .slice(0, -1)
        .filter((event) => event.startsWith('data: '))
        .map((event) => JSON.parse(event.replace(/^data: /, '')) as BridgeState)
    return { call, response, states }
  }

  test('begins with the state, continues with each change, and ends with the page', async () => {
    const { port, publisher } = await start()
    const { call, response, states } = await open(port)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    expect(response.headers['cache-control']).toBe('no-store')
    await expect.poll(states).toEqual([SAMPLE_STATE])
    publisher.publish({ presence_paused: false })
    await expect.poll(states).toMatchObject([{ presence_paused: true }, { presence_paused: false }])
    expect(publisher.watching).toBe(1)
    call.destroy()
    await expect.poll(() => publisher.watching).toBe(0)
  })

  test('needs the token, and the address of the dashboard', async () => {
    const { ask, publisher } = await start()
    expect((await ask(PATH)).status).toBe(401)
    expect((await ask(PATH, { ...bearer(TOKEN), origin: 'https://evil.example' })).status).toBe(403)
    expect((await ask(PATH, bearer(TOKEN), 'HEAD')).status).toBe(404)
    expect(publisher.watching).toBe(0)
  })

  test('opens the vault, and does not wait for it', async () => {
    const asked: string[] = []
    const { port } = await start((name) => {
      asked.push(name)
      return new Promise(() => {})
    })
    const { call, states } = await open(port)
    await expect.poll(states).toHaveLength(1)
    expect(asked).toEqual(['open-vault'])
    call.destroy()
  })

  test('is for a few pages at once', async () => {
    const { port, ask, publisher } = await start()
    const pages = await Promise.all(Array.from({ length: MAX_STREAMS }, () => open(port)))
    expect((await ask(PATH, bearer(TOKEN))).status).toBe(503)
    pages[0]?.call.destroy()
    await expect.poll(() => publisher.watching).toBe(MAX_STREAMS - 1)
    const { call, response } = await open(port)
    expect(response.statusCode).toBe(200)
    for (const one of [...pages, { call }]) one.call.destroy()
  })

  test('a page that reads slowly gets the newest state, and not each between', async () => {
    const { port, publisher } = await start()
    const { call, response, states } = await open(port)
    await expect.poll(states).toHaveLength(1)
    response.pause()
    const long = 'x'.repeat(1_000_000)
    for (let pid = 1; pid <= 50; pid++) publisher.publish({ pid, vault_problem: long })
    response.resume()
    await expect.poll(() => states().at(-1)?.pid).toBe(50)
    expect(states().length).toBeLessThan(50)
    call.destroy()
  })
})

describe('actions', () => {
  test.each([
    ['/api/prompts/prompt1/allow', 'allow prompt1'],
    ['/api/prompts/prompt1/deny', 'deny prompt1'],
    ['/api/prompts/prompt1/allow-once', 'allow-once prompt1'],
    ['/api/prompts/prompt1/allow?scope=email&scope=guilds.join', 'allow prompt1 email guilds.join'],
    ['/api/grants/g1/revoke', 'revoke g1'],
    ['/api/grants/g1/narrow?scope=email', 'narrow g1 email'],
    ['/api/grants/g1/for-session', 'for-session g1'],
    ['/api/grants/g1/keep', 'keep g1'],
    ['/api/programs/77/block', 'block 77'],
    ['/api/programs/g1/hide', 'hide g1'],
    ['/api/programs/g1/hide-now', 'hide-now g1'],
    ['/api/programs/g1/show', 'show g1'],
    ['/api/accounts/42-5/sign-out', 'sign-out 42-5'],
    ['/api/applications/42/link', 'link 42'],
    ['/api/invites/77/accept', 'accept-invite 77'],
    ['/api/presence/all/pause', 'pause-presence all'],
    ['/api/presence/all/resume', 'resume-presence all'],
  ])('POST %s with the token runs it', async (path, what) => {
    const { ask, done } = await start()
    expect((await ask(path, bearer(TOKEN), 'POST')).status).toBe(200)
    expect(done).toEqual([what])
  })
  test('an object that no longer exists is 404', async () => {
    const { ask } = await start()
    for (const path of ['/api/prompts/prompt2/allow', '/api/grants/g2/revoke', '/api/applications/43/link', '/api/invites/78/accept'])
      expect((await ask(path, bearer(TOKEN), 'POST')).status).toBe(404)
  })
  test('nothing is done without the token, for another site, or by GET', async () => {
    const { ask, done, port } = await start()
    const path = '/api/grants/g1/revoke'
    expect((await ask(path, {}, 'POST')).status).toBe(401)
    expect((await ask(path, bearer('guess'), 'POST')).status).toBe(401)
    expect((await ask(path, { ...bearer(TOKEN), origin: 'https://evil.example' }, 'POST')).status).toBe(403)
    expect((await ask(path, { ...bearer(TOKEN), host: `evil.example:${port}` }, 'POST')).status).toBe(403)
    expect((await ask(path, bearer(TOKEN), 'GET')).status).toBe(405)
    expect((await ask(path, {}, 'OPTIONS')).status).toBe(405)
    expect(done).toEqual([])
  })
  test.each([
    '/api/grants/g1/narrow?scope=%3Cscript%3E',
    '/api/grants/g1/allow',
    '/api/prompts/prompt1/revoke',
    '/api/grants/G1/revoke',
    '/api/constructor/x/name',
    '/api/state',
  ])('POST %s is nothing that can be done', async (path) => {
    const { ask, done } = await start()
    expect((await ask(path, bearer(TOKEN), 'POST')).status).toBe(405)
    expect(done).toEqual([])
  })
  test('a choice that the prompt does not have is returned with the sentence that says so', async () => {
    const { ask } = await start()
    const { status, body } = await ask('/api/prompts/wrong/allow?scope=email', bearer(TOKEN), 'POST')
    expect([status, body]).toEqual([400, 'The prompt does not ask for email.'])
  })
  test('a failure is returned without its reason', async () => {
    const { ask } = await start()
    const { status, body } = await ask('/api/grants/broken/revoke', bearer(TOKEN), 'POST')
    expect([status, body.includes('planted-value')]).toEqual([500, false])
  })
})

describe('pages of other sites', () => {
  test.each([
    ['another host name (DNS rebinding)', { host: 'evil.example' }],
    ['our address on another port', { host: '127.0.0.1:1' }],
    ['no port in the host', { host: '127.0.0.1' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
  ])('are rejected: %s', async (_, headers) => {
    const { ask } = await start()
    for (const path of ['/', '/api/state']) expect((await ask(path, { ...headers, ...bearer(TOKEN) })).status).toBe(403)
  })

  test('never get a CORS header, and the own origin passes', async () => {
    const { ask, port } = await start()
    for (const host of ['127.0.0.1', 'localhost']) {
      const own = await ask('/api/state', { host: `${host}:${port}`, origin: `http://${host}:${port}`, ...bearer(TOKEN) })
      expect(own.status).toBe(200)
      expect(Object.keys(own.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    expect((await ask('/api/state', { origin: `https://127.0.0.1:${port}`, ...bearer(TOKEN) })).status).toBe(403)
  })
})

describe('the page', () => {
  test('needs no token, holds none, and allows exactly its own script and style', async () => {
    const { ask } = await start()
    const { status, headers, body } = await ask('/')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).not.toContain(TOKEN)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    for (const tag of ['script', 'style']) {
      const [, inline = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(body) ?? []
      expect(inline.length).toBeGreaterThan(100)
      expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(inline).digest('base64')}'`)
    }
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('its script is valid, and inserts data as text only', async () => {
    const { ask } = await start()
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec((await ask('/')).body) ?? []
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/insertAdjacentHTML|document\.write|eval\(|setInterval/)
    // The library can set markup for a property that no part of the page has. The policy of trusted types would refuse it too.
    for (const { path, text } of filesOf((name) => name.startsWith('daemon/src/operator/dashboard/page/')))
      expect({ path, marks: /dangerouslySetInnerHTML|innerHTML/.test(text) }).toEqual({ path, marks: false })
  })

  test('it is small, and has its icon', async () => {
    const { ask } = await start()
    expect(gzipSync((await ask('/')).body).length).toBeLessThan(80 * 1024)
    expect((await ask('/icon.svg')).headers['content-type']).toBe('image/svg+xml')
  })

  test('other paths are 404, and other methods are rejected', async () => {
    const { ask } = await start()
    expect((await ask('/x')).status).toBe(404)
    expect((await ask('/', {}, 'POST')).status).toBe(405)
    expect((await ask('/', {}, 'HEAD')).body).toBe('')
  })
})

test('another user of the machine is rejected even with the token, and is not looked up without it', async () => {
  let looks = 0
  const peers = {
    areKnown: true,
    ownerOf: async () => {
      looks++
      return 'another-user' as const
    },
  }
  const { ask, done } = await start(undefined, peers)
  for (const [path, method] of [
    ['/api/state', 'GET'],
    ['/api/prompts/prompt1/allow', 'POST'],
  ] as const) {
    expect((await ask(path, {}, method)).status).toBe(401)
    expect(looks).toBe(0)
    const { status, body } = await ask(path, bearer(TOKEN), method)
    expect([status, body]).toEqual([403, 'This dashboard belongs to another user of the machine.'])
    looks = 0
  }
  expect(done).toEqual([])
})

test.each(['this-user', 'unknown'] as const)('%s is served with the token', async (owner) => {
  const { ask } = await start(undefined, peersOf(owner))
  expect((await ask('/api/state', bearer(TOKEN))).status).toBe(200)
})

test('its address has the token in the fragment, on the loopback interface', async () => {
  const { dashboard } = await start()
  expect(dashboard.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#token=${TOKEN}$`))
})

test('close ends idle connections', async () => {
  const { dashboard, port } = await start()
  const silent = await connected(port)
  const ended = endOf(silent)
  await dashboard.close()
  await ended
  await expect(requestOn(port, '/', {}, 'GET')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  closers.length = 0
})

/** However it ends. */
const endOf = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve))

/** Waits until the server has accepted the connection and started its timer. */
async function connected(port: number): Promise<Socket> {
  const before = clock.pending
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  while (clock.pending === before) await new Promise((resolve) => setImmediate(resolve))
  return socket
}

describe('waiting', () => {
  const PATIENCE_MS = 10_000

  test('a slow action gets its response', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const asked = Promise.withResolvers<void>()
    const { ask } = await start(() => {
      asked.resolve()
      return promise
    })
    const reply = ask('/api/state', bearer(TOKEN))
    await asked.promise
    clock.advance(60_000)
    resolve(true)
    expect((await reply).status).toBe(200)
  })

  test('a client that sends nothing, or an incomplete request, is dropped', async () => {
    const { port } = await start()
    const silent = await connected(port)
    const slow = await connected(port)
    slow.write('GET / HTTP/1.1\r\n')
    const ends = [endOf(silent), endOf(slow)]
    clock.advance(PATIENCE_MS - 1)
    slow.write('X: y\r\n')
    clock.advance(1)
    await Promise.all(ends)
  })

  test('a body is not awaited', async () => {
    const { port } = await start()
    const slow = await connected(port)
    slow.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1000000\r\n\r\nx`)
    expect(String((await once(slow, 'data'))[0])).toMatch(/^HTTP\/1\.1 405 [^]*Connection: close/)
    slow.destroy()
  })

  test('many silent clients do not block others: the oldest are dropped', async () => {
    const { port, ask } = await start()
    const crowd: Socket[] = []
    const first = await connected(port)
    const gone = endOf(first)
    for (let n = 1; n < 64; n++) crowd.push(await connected(port))
    expect((await ask('/')).status).toBe(200)
    await gone
    expect(crowd.map(({ destroyed }) => destroyed)).not.toContain(true)
    for (const socket of crowd) socket.destroy()
  })

  test('an upgrade request is handled as a request', async () => {
    const { ask } = await start()
    expect((await ask('/', { connection: 'Upgrade', upgrade: 'websocket' })).status).toBe(200)
  })
})
