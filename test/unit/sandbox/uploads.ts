/** Requests with files from another implementation, and ids of the initial data. */
import { BOT } from './answers.ts'
import type { Answer, Harness } from './harness.ts'

export interface SentFile {
  readonly part: string
  readonly name: string
  readonly content: string | Buffer<ArrayBuffer>
  readonly type?: string
}

/** A multipart request; `payload` undefined: no JSON. */
export async function sendFiles(
  { sandbox }: Harness,
  method: string,
  path: string,
  payload: object | undefined,
  files: readonly SentFile[],
  token = BOT,
): Promise<Answer> {
  const body = new FormData()
  if (payload !== undefined) body.append('payload_json', JSON.stringify(payload))
  for (const { part, name, content, type = '' } of files) body.append(part, new File([content], name, { type }))
  const response = await fetch(`${sandbox.origin}/api/v10${path}`, { method, headers: { authorization: token }, body })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  }
}

interface State {
  readonly guilds: readonly {
    readonly id: string
    readonly name: string
    readonly member_ids: readonly string[]
    readonly channels: readonly { readonly id: string; readonly name: string }[]
  }[]
}

export async function guildNamed(harness: Harness, name: string): Promise<State['guilds'][number]> {
  const { guilds } = (await harness.send('GET', '~sandbox/state')).json as unknown as State
  const guild = guilds.find((one) => one.name === name)
  if (guild === undefined) throw new Error(`no guild ${name}`)
  return guild
}

export async function channelNamed(harness: Harness, guild: string, name: string): Promise<string> {
  const channel = (await guildNamed(harness, guild)).channels.find((one) => one.name === name)
  if (channel === undefined) throw new Error(`no channel ${name}`)
  return channel.id
}
