/** A signed-in game of one user, for tests with several users at one daemon. */
import { expect } from 'vitest'
import type { Message } from '#test/support/frames.ts'
import { SOON } from '#test/support/soon.ts'
import type { RawClient } from './raw-client.ts'
import type { WalkedDaemon } from './walked-daemon.ts'

const SCOPES = ['openid', 'sdk.social_layer', 'rpc', 'messages.read']

export interface Player {
  readonly game: RawClient
  readonly name: string
  readonly id: string
  /** The data of an answer without an error. */
  ok(cmd: string, args?: object, evt?: string): Promise<unknown>
  /** The code of the error; undefined for success. */
  code(cmd: string, args?: object): Promise<number | undefined>
  /** The data of the first event of this name that fits; others are passed over. */
  event(evt: string, fits?: (data: never) => boolean): Promise<unknown>
  /** All events up to now. Takes CURRENT_USER_UPDATE, to which it must be subscribed. */
  heard(): Promise<readonly Message[]>
}

let marks = 0

const DEADLINE_MS = SOON.timeout

/** Rejects when the work takes too long, and says which. */
async function within<T>(what: string, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${DEADLINE_MS} ms`)), DEADLINE_MS)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}

export async function player(daemon: WalkedDaemon, name: string): Promise<Player> {
  const game = await daemon.game(await daemon.token(SCOPES, { user: name }), { contract: '1.0', max_frame_bytes: 1_000_000 })
  const id = daemon.state.users.find(({ username }) => username === name)?.id ?? ''
  const answer = async (cmd: string, args: object = {}, evt?: string): Promise<Message> => game.call(cmd, args, evt)
  return {
    game,
    name,
    id,
    async ok(cmd, args, evt) {
      const { evt: kind, data } = await answer(cmd, args, evt)
      expect(kind, `${cmd}: ${JSON.stringify(data)}`).not.toBe('ERROR')
      return data
    },
    code: async (cmd, args) => {
      const { evt, data } = await answer(cmd, args)
      return evt === 'ERROR' ? (data as { readonly code: number }).code : undefined
    },
    event: (evt, fits = () => true) =>
      within(`${name} gets ${evt}`, async () => {
        for (;;) {
          const message = await game.message()
          if (message.evt === evt && fits(message.data as never)) return message.data
        }
      }),
    async heard() {
      // The gateway keeps the order, so the mark comes after all that was sent before.
      const mark = `mark-${++marks}`
      await daemon.control('POST', '/gateway', {
        action: 'dispatch',
        user: name,
        t: 'USER_UPDATE',
        d: { id, username: name, global_name: mark },
      })
      const before: Message[] = []
      for (;;) {
        const message = await game.message()
        if (message.evt === 'CURRENT_USER_UPDATE' && (message.data as { readonly global_name?: string }).global_name === mark) return before
        before.push(message)
      }
    },
  }
}
