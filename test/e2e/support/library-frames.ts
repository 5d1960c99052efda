/**
 * What published libraries send that have no package here: their frames, written as each library writes them, and what it reads of the answers.
 * A library that fails at an answer has a check of it here.
 */
import { expect } from 'vitest'
import type { RawClient } from './raw-client.ts'
import { frame, OP } from '#test/support/frames.ts'

export interface World {
  readonly applicationId: string
  /** Exchanges a code as a confidential client does. */
  readonly exchange: (code: string) => Promise<string>
}

type Data = Readonly<Record<string, unknown>>

export interface Library {
  readonly name: string
  /** The programs that send the same. */
  readonly alsoFor?: string
  readonly handshake: (applicationId: string) => string
  /** Header and body in two writes. */
  readonly isSplit?: true
  /** The presence that it sets, which must be shown. */
  readonly present: (send: Send) => Promise<unknown>
  /** The rest, once. */
  readonly play?: (send: Send, world: World) => Promise<void>
}

/** Sends one command as text. Resolves to the answer, of which every library reads cmd, evt, nonce and data. */
export type Send = (text: string, nonce: string) => Promise<{ readonly evt: unknown; readonly data: Data }>

export function sender(client: RawClient, { isSplit }: Pick<Library, 'isSplit'>): Send {
  return async (text, nonce) => {
    const bytes = frame(OP.FRAME, Buffer.from(text))
    if (isSplit === true) {
      client.send(bytes.subarray(0, 8))
      client.send(bytes.subarray(8))
    } else client.send(bytes)
    for (;;) {
      const message = (await client.message()) as unknown as { nonce: unknown; evt: unknown; data: Data }
      if (message.nonce !== nonce) continue
      expect(Object.keys(message).toSorted()).toEqual(['cmd', 'data', 'evt', 'nonce'])
      return message
    }
  }
}

/** As Python writes JSON. */
const python = (value: unknown): string =>
  JSON.stringify(value, undefined, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/([[{]) | ([\]}])/g, '$1$2')

const PID = 4242
const ok = async (answer: Promise<{ readonly evt: unknown; readonly data: Data }>): Promise<Data> => {
  const { evt, data } = await answer
  expect([evt, data], JSON.stringify(data)).toEqual([null, data])
  return data
}

async function guildsAndChannels(call: (cmd: string, args: object) => Promise<Data>): Promise<void> {
  const { guilds } = (await call('GET_GUILDS', {})) as { guilds: { id: string; name: string }[] }
  const guild = guilds.find(({ name }) => name === 'Harbour')
  expect(guild).toBeDefined()
  expect(await call('GET_GUILD', { guild_id: guild?.id })).toMatchObject({ name: 'Harbour' })
  const { channels } = (await call('GET_CHANNELS', { guild_id: guild?.id })) as { channels: { id: string; name: string }[] }
  const general = channels.find(({ name }) => name === 'general')
  expect(await call('GET_CHANNEL', { channel_id: general?.id })).toMatchObject({ name: 'general', guild_id: guild?.id })
}

const pypresence: Library = {
  name: 'pypresence 4.3 (Python)',
  alsoFor: 'mpv-discordRPC and the module of Lutris, which use it',
  handshake: (id) => python({ v: 1, client_id: id }),
  present: (send) =>
    ok(
      send(
        python({
          cmd: 'SET_ACTIVITY',
          args: {
            pid: PID,
            activity: { state: '(Playing)', details: 'A tone', timestamps: { start: 1_700_000_000.5 }, assets: { large_image: 'mpv' } },
          },
          nonce: '1700000000.75560498237609863281',
        }),
        '1700000000.75560498237609863281',
      ),
    ),
  async play(send, { applicationId, exchange }) {
    let count = 0
    const call = (cmd: string, args: object, evt?: string): Promise<Data> => {
      const nonce = `${1_700_000_001 + ++count}.00000000000000000000`
      return ok(send(python({ cmd, args, ...(evt === undefined ? {} : { evt }), nonce }), nonce))
    }
    const { code } = await call('AUTHORIZE', { client_id: applicationId, scopes: ['rpc'] })
    await call('AUTHENTICATE', { access_token: await exchange(String(code)) })
    await guildsAndChannels(call)
    for (const evt of ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE', 'ACTIVITY_JOIN_REQUEST']) await call('SUBSCRIBE', {}, evt)
    await call('SET_ACTIVITY', { pid: PID, activity: null })
  },
}

const harmonyland: Library = {
  name: 'harmonyland/discord_rpc (Deno)',
  handshake: (id) => JSON.stringify({ v: '1', client_id: id }),
  present: (send) =>
    ok(
      send(JSON.stringify({ cmd: 'SET_ACTIVITY', args: { pid: PID, activity: { details: 'Deno', state: 'Playing' } }, nonce: 'd1' }), 'd1'),
    ),
  async play(send, { applicationId, exchange }) {
    const call = (cmd: string, args: object): Promise<Data> => ok(send(JSON.stringify({ cmd, args, nonce: `h-${cmd}` }), `h-${cmd}`))
    const { code } = await call('AUTHORIZE', {
      client_id: applicationId,
      client_secret: `sandbox-secret-${applicationId}`,
      scopes: 'rpc identify guilds',
      grant_type: 'authorization_code',
    })
    expect(await call('AUTHENTICATE', { access_token: await exchange(String(code)) })).toMatchObject({ user: { username: 'ada' } })
    await guildsAndChannels(call)
  },
}

const discordRpcInC: Library = {
  name: 'discord/discord-rpc (C)',
  handshake: (id) => `{"v":1,"client_id":"${id}"}`,
  present: (send) =>
    ok(
      send(
        `{"nonce":"4","cmd":"SET_ACTIVITY","args":{"pid":${PID},"activity":{"state":"In-Menu","timestamps":{"start":1700000000},"assets":{"large_image":"base","large_text":""},"party":{"id":"party-1","size":[1,4]},"secrets":{"join":"a-secret"},"instance":false}}}`,
        '4',
      ),
    ),
  async play(send) {
    for (const [at, evt] of ['ACTIVITY_JOIN', 'ACTIVITY_SPECTATE', 'ACTIVITY_JOIN_REQUEST'].entries())
      expect(await ok(send(`{"nonce":"${at + 1}","cmd":"SUBSCRIBE","evt":"${evt}"}`, String(at + 1)))).toMatchObject({
        evt,
        unserved: expect.any(String),
      })
    await ok(send(`{"nonce":"5","cmd":"SET_ACTIVITY","args":{"pid":${PID}}}`, '5').then(({ evt }) => ({ evt, data: {} })))
    const refused = await send(`{"nonce":"6","cmd":"SEND_ACTIVITY_JOIN_INVITE","args":{"user_id":"80351110224678912"}}`, '6')
    expect([refused.evt, typeof refused.data['code'], typeof refused.data['message']]).toEqual(['ERROR', 'number', 'string'])
  },
}

const vionya: Library = {
  name: 'vionya/discord-rich-presence (Rust)',
  handshake: (id) => `{"v":1,"client_id":"${id}"}`,
  isSplit: true,
  present: (send) =>
    ok(
      send(
        `{"args":{"activity":{"buttons":[{"label":"Open","url":"https://a.test"}],"details":"Rusting","state":"Oxide"},"pid":${PID}},"cmd":"SET_ACTIVITY","nonce":"0b7c9d6e-54a9-4b6f-8f6b-6a2b9e3f1c11"}`,
        '0b7c9d6e-54a9-4b6f-8f6b-6a2b9e3f1c11',
      ),
    ),
}

const jewlexx: Library = {
  name: 'jewlexx/discord-presence (Rust)',
  handshake: (id) => `{"client_id":"${id}","v":1}`,
  present: async (send) => {
    const data = await ok(
      send(`{"args":{"activity":{"details":"No buttons","state":"Set"},"pid":${PID}},"cmd":"SET_ACTIVITY","nonce":"f3b1"}`, 'f3b1'),
    )
    // Its type has no default for this field.
    expect(data['buttons']).toEqual([])
  },
}

const sdk4j: Library = {
  name: 'JnCrMx/discord-game-sdk4j (Java)',
  handshake: (id) => `{"v":1,"client_id":"${id}"}`,
  present: (send) =>
    ok(
      send(
        `{"cmd":"SET_ACTIVITY","nonce":"9","args":{"pid":${PID},"activity":{"application_id":0,"name":"","type":0,"state":"Waiting","details":"","timestamps":{"start":1700000000,"end":0},"assets":{"large_image":"","large_text":"","small_image":"","small_text":""},"party":{"id":"party-1","size":[0,5],"privacy":0},"secrets":{"match":"","join":"join-secret","spectate":""},"instance":true,"supported_platforms":[]}}}`,
        '9',
      ),
    ),
  async play(send) {
    expect(await ok(send('{"cmd":"SUBSCRIBE","evt":"RELATIONSHIP_UPDATE","nonce":"1"}', '1'))).toMatchObject({ evt: 'RELATIONSHIP_UPDATE' })
    expect(await ok(send(`{"cmd":"SUBSCRIBE","evt":"OVERLAY_UPDATE","nonce":"2","args":{"pid":${PID}}}`, '2'))).toMatchObject({
      evt: 'OVERLAY_UPDATE',
    })
    expect(await ok(send('{"cmd":"SUBSCRIBE","evt":"VOICE_SETTINGS_UPDATE_2","nonce":"3"}', '3'))).toMatchObject({
      evt: 'VOICE_SETTINGS_UPDATE_2',
    })
    expect((await ok(send('{"cmd":"GET_RELATIONSHIPS","nonce":"4","args":{}}', '4')))['relationships']).toEqual([])
    expect(await ok(send('{"cmd":"AUTHENTICATE","nonce":"5","args":{}}', '5'))).toMatchObject({
      user: { username: 'ada' },
      access_token: expect.any(String),
    })
  },
}

export const LIBRARIES: readonly Library[] = [pypresence, harmonyland, discordRpcInC, vionya, jewlexx, sdk4j]
