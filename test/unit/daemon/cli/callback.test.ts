import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCli } from '#daemon/src/cli/cli.ts'
import { CLI_COMMANDS } from '#daemon/src/cli/commands.ts'
import { EXIT } from '#daemon/src/cli/exit-codes.ts'
import { type Answer, type FakeBridge, fakeBridge } from './fake-bridge.ts'
import { fakeIo } from './fake-io.ts'

const URL_WITH_CODE = 'mygame:/authorize/callback?code=planted-code&state=s'

let directory: string
let bridge: FakeBridge | undefined
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sp-'))
})
afterEach(async () => {
  await bridge?.close()
  bridge = undefined
  await rm(directory, { recursive: true })
})

async function run(words: readonly string[], answers: Readonly<Record<string, Answer>>) {
  bridge = await fakeBridge(directory, answers)
  const io = fakeIo()
  const [name = '', ...rest] = words
  const own = name === 'callback' ? ['--data-dir', join(directory, 'data')] : []
  const code = await runCli([name, '--runtime-dir', directory, ...own, ...rest], io, CLI_COMMANDS)
  return { code, out: io.printed.join('\n'), err: io.said.join('\n'), asked: bridge.asked }
}

describe('callback', () => {
  test('delivers the URL without printing it', async () => {
    const { code, out, err, asked } = await run(['callback', URL_WITH_CODE], {
      DELIVER_AUTHORIZE_CALLBACK: { data: { application_id: '42', outcome: 'allowed' } },
    })
    expect([code, out]).toEqual([EXIT.ok, 'Delivered the callback to the game (application 42).'])
    expect(asked).toMatchObject([{ cmd: 'DELIVER_AUTHORIZE_CALLBACK', args: { url: URL_WITH_CODE } }])
    expect(out + err).not.toContain('planted-code')
  })

  test('exits with `refused` if the platform refused or no call is pending', async () => {
    const refused = await run(['callback', 'mygame:/authorize/callback?error=access_denied&state=s'], {
      DELIVER_AUTHORIZE_CALLBACK: { data: { application_id: '42', outcome: 'refused', error: 'access_denied' } },
    })
    expect([refused.code, refused.err]).toEqual([EXIT.refused, expect.stringContaining('access_denied') as string])
    await bridge?.close()
    const unknown = await run(['callback', URL_WITH_CODE], {
      DELIVER_AUTHORIZE_CALLBACK: { error: { code: 4020, message: 'No sign-in expects this callback.' } },
    })
    expect([unknown.code, unknown.err]).toEqual([EXIT.refused, expect.stringContaining('No sign-in expects') as string])
    expect(unknown.err).not.toContain('planted-code')
  })
})

describe('a URL from another program', () => {
  test.each([
    ['a flag after it', [URL_WITH_CODE, '--config', '//host/share/c.json']],
    ['a flag with its value after it', [URL_WITH_CODE, '--runtime-dir=/elsewhere']],
    ['a help flag after it', [URL_WITH_CODE, '--help']],
    ['an empty address and a flag', ['', '--config', '//host/share/c.json']],
    ['further words', [URL_WITH_CODE, 'more']],
    ['a flag after --', ['--', URL_WITH_CODE, '--config', '//host/share/c.json']],
  ])('with %s is refused, and nothing is done', async (_what, words) => {
    const { code, out, err, asked } = await run(['callback', ...words], {})
    expect([code, out, asked]).toEqual([EXIT.usage, '', []])
    expect(err).toContain('Usage: sallyport callback [flags] URL')
    expect(err).not.toMatch(/planted-code|share/)
  })

  test.each(['--config', '--config=x', '-h'])('after --, %s is a URL', async (words) => {
    const { asked } = await run(['callback', '--', words], {
      DELIVER_AUTHORIZE_CALLBACK: { error: { code: 4000, message: 'The address is not a callback.' } },
    })
    expect(asked).toMatchObject([{ args: { url: words } }])
  })
})

describe('login --device', () => {
  test('shows URL and code, waits for the user, and signs in', async () => {
    const device = { user_code: 'WDJB-MJHT', verification_uri: 'https://p.example/activate\u001b[2J', expires_in: 300, interval: 5 }
    const user = { id: '5', username: 'ada', discriminator: '0', avatar: null }
    const { code, out, err, asked } = await run(['login', '--device', '--scopes', 'identify guilds'], {
      AUTHORIZE_DEVICE: { data: device },
      GET_TOKEN_FROM_DEVICE: { data: { access_token: 'planted-token', token_type: 'Bearer', expires_in: 1, scope: 'identify' } },
      AUTHENTICATE: { data: { user, scopes: ['identify'], expires: '2030-01-01T00:00:00Z', application: { id: '1' } } },
    })
    expect([code, out]).toEqual([EXIT.ok, expect.stringContaining('Signed in as ada') as string])
    expect(err).toContain('open https://p.example/activate\\u{1b}[2J and enter the code WDJB-MJHT within 5 minutes')
    expect(asked.map(({ cmd, args }) => [cmd, args])).toEqual([
      ['AUTHORIZE_DEVICE', { scopes: ['identify', 'guilds'] }],
      ['GET_TOKEN_FROM_DEVICE', { user_code: 'WDJB-MJHT' }],
      ['AUTHENTICATE', {}],
    ])
    expect(out + err).not.toContain('planted-token')
  })

  test('that the bridge cannot store fails', async () => {
    const user = { id: '5', username: 'ada', discriminator: '0', avatar: null }
    const { code, err, asked } = await run(['login', '--device'], {
      AUTHORIZE_DEVICE: { data: { user_code: 'WDJB-MJHT', verification_uri: 'https://p.example/activate', expires_in: 300, interval: 5 } },
      GET_TOKEN_FROM_DEVICE: { data: { access_token: 'given', token_type: 'Bearer', expires_in: 1, scope: 'identify', kept: false } },
      AUTHENTICATE: { data: { user, scopes: ['identify'], expires: '2030-01-01T00:00:00Z', application: { id: '1' } } },
    })
    expect([code, err]).toEqual([EXIT.failed, expect.stringContaining('could not store')])
    expect(asked.at(-1)).toMatchObject({ cmd: 'AUTHENTICATE', args: { access_token: 'given' } })
  })
})
