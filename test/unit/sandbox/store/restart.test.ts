/** Persistence: a stop, a kill during writes, and a damaged or locked file. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { APPLICATION, ManualClock, startHarness } from '../harness.ts'

let folder: string
let dataFile: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
  dataFile = join(folder, 'sandbox.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('keeps tokens, revocations, lobbies and messages over a restart, and no token in the clear', async () => {
  const before = await startHarness({ dataFile })
  const kept = await before.signIn('identify sdk.social_layer')
  const gone = await before.signIn('identify', { user: 'grace' })
  await before.send('POST', '~sandbox/revoke', { json: { token: gone.access_token } })
  const lobby = await before.send('PUT', '/lobbies', { token: kept.access_token, json: { secret: 'kept secret' } })
  await before.send('POST', `/lobbies/${String(lobby.json['id'])}/messages`, { token: kept.access_token, json: { content: 'still there' } })
  await before.close()

  const after = await startHarness({ dataFile, seed: 'another seed does not matter now' })
  expect(after.sandbox.defaultUser).toEqual(before.sandbox.defaultUser)
  expect((await after.send('GET', '/users/@me', { token: kept.access_token })).json['username']).toBe('ada')
  expect((await after.send('GET', '/users/@me', { token: gone.access_token })).status).toBe(401)
  const joined = await after.send('PUT', '/lobbies', { token: kept.access_token, json: { secret: 'kept secret' } })
  expect(joined.json['id']).toBe(lobby.json['id'])
  const id = String(lobby.json['id'])
  await after.send('POST', `/lobbies/${id}/messages`, { token: kept.access_token, json: { content: 'and more' } })
  const history = JSON.parse((await after.send('GET', `/lobbies/${id}/messages`, { token: kept.access_token })).text) as {
    content: string
  }[]
  // The clock stands still: ids must go on from those in the file.
  expect(history.map(({ content }) => content)).toEqual(['and more', 'still there'])
  const refreshed = await after.form('/api/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: kept.refresh_token,
    client_id: APPLICATION,
  })
  expect(refreshed.status).toBe(200)
  await after.close()

  expect(statSync(dataFile).mode & 0o077).toBe(0)
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
  for (const secret of [kept.access_token, kept.refresh_token, 'kept secret'])
    for (const content of bytes) expect(content.includes(secret)).toBe(false)
})

it('keeps emoji, sounds, entitlements, memberships and settings of bots over a restart, and gives no id twice', async () => {
  const token = `Bot sandbox-bot-${APPLICATION}`
  const before = await startHarness({ dataFile })
  const { guilds } = (await before.send('GET', '~sandbox/state')).json as unknown as { guilds: { id: string; name: string }[] }
  const harbour = guilds.find(({ name }) => name === 'Harbour')?.id ?? ''
  const skus = JSON.parse((await before.send('GET', `/applications/${APPLICATION}/skus`, { token })).text) as { id: string }[]
  const emoji = { name: 'anchor', image: 'data:image/png;base64,iVBORw0KGgo=' }
  const made = [
    await before.send('POST', `/applications/${APPLICATION}/emojis`, { token, json: emoji }),
    await before.send('POST', `/guilds/${harbour}/soundboard-sounds`, {
      token,
      json: { name: 'horn', sound: 'data:audio/ogg;base64,T2dnUw==' },
    }),
    await before.send('POST', `/applications/${APPLICATION}/entitlements`, {
      token,
      json: { sku_id: skus[0]?.id, owner_id: harbour, owner_type: 1 },
    }),
  ]
  const member = await before.send('PATCH', `/guilds/${harbour}/members/@me`, { token, json: { nick: 'Bosun' } })
  const application = await before.send('PATCH', '/applications/@me', { token, json: { description: 'Ships' } })
  const roles = await before.send('GET', `/guilds/${harbour}/roles/member-counts`, { token })
  await before.close()

  const after = await startHarness({ dataFile })
  const [first, sound, entitlement] = made.map(({ json }) => json)
  const read = async (path: string) => (await after.send('GET', path, { token })).json
  expect(await read(`/applications/${APPLICATION}/emojis`)).toEqual({ items: [first] })
  expect(await read(`/guilds/${harbour}/soundboard-sounds`)).toEqual({ items: [sound] })
  expect(await read(`/applications/${APPLICATION}/entitlements/${String(entitlement?.['id'])}`)).toEqual(entitlement)
  expect(await read('/applications/@me')).toEqual(application.json)
  expect(await read(`/guilds/${harbour}/roles/member-counts`)).toEqual(roles.json)
  expect((await after.send('PATCH', `/guilds/${harbour}/members/@me`, { token, json: {} })).json).toEqual(member.json)
  // The clock stands still: ids must go on from those in the file.
  const second = await after.send('POST', `/applications/${APPLICATION}/emojis`, { token, json: emoji })
  expect(BigInt(String(second.json['id']))).toBeGreaterThan(BigInt(String(entitlement?.['id'])))
  await after.close()
})

it('loses nothing that was answered when the process is killed', async () => {
  const program = `
    import { holdSandboxPort } from '@sallyport/sandbox/addresses'
    import { startSandbox } from '@sallyport/sandbox/sandbox'
    import { silentLogger } from '#test/support/silent-logger.ts'
    import { dataHealth } from '#test/support/data-health.ts'
    import { systemClock } from '@sallyport/core/clock'
    import { recordAnswersOf } from '#test/conformance/answers/record.mjs'
    const { origin } = await startSandbox({ held: await holdSandboxPort(0), activityPort: 0, isOwnPeer: async () => true, seed: 'test', mode: 'strict', data: dataHealth(${JSON.stringify(folder)}), autoConsent: true, clock: systemClock, log: silentLogger })
    recordAnswersOf(origin)
    console.log(origin)
  `
  const child = spawn(process.execPath, ['--conditions=sallyport-source', '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const [origin] = await new Promise<string[]>((resolve) => createInterface(child.stdout).once('line', (line) => resolve([line])))
  const query = new URLSearchParams({
    client_id: APPLICATION,
    response_type: 'code',
    scope: 'identify sdk.social_layer',
    redirect_uri: 'http://127.0.0.1/cb',
  })
  const { headers } = await fetch(`${origin}/oauth2/authorize?${query.toString()}`, { redirect: 'manual' })
  const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
  const exchange = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    client_id: APPLICATION,
    client_secret: `sandbox-secret-${APPLICATION}`,
  })
  const { access_token: token } = (await (await fetch(`${origin}/api/oauth2/token`, { method: 'POST', body: exchange })).json()) as {
    access_token: string
  }
  const joined = await fetch(`${origin}/api/lobbies`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ secret: 's' }),
  })
  const lobby = (await joined.json()) as { id: string }
  child.kill('SIGKILL')
  await exited

  const after = await startHarness({ dataFile, clock: new ManualClock(Date.now()) })
  expect((await after.send('GET', '/users/@me', { token })).status).toBe(200)
  expect((await after.send('PUT', '/lobbies', { token, json: { secret: 's' } })).json['id']).toBe(lobby.id)
  await after.close()
})

it('is not opened twice, says so, and leaves the first one alone', async () => {
  const first = await startHarness({ dataFile })
  await expect(startHarness({ dataFile })).rejects.toMatchObject({
    error: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining(dataFile),
  })
  const { access_token: token } = await first.signIn('identify')
  expect((await first.send('GET', '/users/@me', { token })).status).toBe(200)
  await first.close()
})

it('is set aside when it is damaged, and the sandbox begins anew', async () => {
  writeFileSync(dataFile, 'this is not a database, but long enough to look like one '.repeat(50), { mode: 0o600 })
  const sandbox = await startHarness({ dataFile })
  expect(sandbox.log.join()).toContain('data-set-aside')
  const { access_token: token } = await sandbox.signIn('identify')
  await sandbox.close()
  expect(readdirSync(folder).filter((name) => name.includes('.damaged-'))).toHaveLength(1)
  const after = await startHarness({ dataFile })
  expect((await after.send('GET', '/users/@me', { token })).status).toBe(200)
  await after.close()
})

it('reads a file in which members had permissions of their own: their roles have them now', async () => {
  const before = await startHarness({ dataFile })
  const mary = await before.idOf('mary')
  await before.close()
  const database = new DatabaseSync(dataFile)
  database.exec(
    `UPDATE documents SET body = json_set(body, '$.members', json('{"${mary}":"1024"}')) WHERE kind = 'guild'; PRAGMA user_version = 1`,
  )
  database.close()

  const after = await startHarness({ dataFile })
  const { access_token: token } = await after.signIn('identify guilds', { user: 'mary' })
  const guilds = JSON.parse((await after.send('GET', '/users/@me/guilds', { token })).text) as readonly { permissions: string }[]
  expect(guilds).toHaveLength(3)
  for (const { permissions } of guilds) expect(BigInt(permissions) & (1n << 11n)).toBe(1n << 11n)
  await after.send('POST', '~sandbox/members', { json: { guild: 'Harbour', user: 'mary', member: false } })
  expect(JSON.parse((await after.send('GET', '/users/@me/guilds', { token })).text)).toHaveLength(2)
  await after.close()
})
