/** The requests of a session, by opcode: their schema and handler. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type * as z from 'zod'
import { parsePayload } from '../identify.ts'
import type { GatewayEvent } from '../gateway-events/event-mapper.ts'
import { PresenceInput } from '../presence-registry.ts'
import type { GatewaySession } from '../session.ts'
import type { GatewaySessions } from '../sessions.ts'
import { channelInfo, ChannelInfoRequest, changeVoice, soundboardSounds, SoundsRequest, VoiceRequest } from './channels.ts'
import { memberChunks, type MembersContext, MembersRequest } from './members.ts'

export interface RequestContext extends MembersContext {
  readonly sessions: GatewaySessions
}

/** Throws GatewayCloseError for invalid data. */
type RequestHandler = (context: RequestContext, session: GatewaySession, d: unknown) => void

const request =
  <Schema extends z.ZodType>(
    schema: () => Schema,
    execute: (context: RequestContext, session: GatewaySession, args: z.output<Schema>) => readonly GatewayEvent[] | void,
  ): RequestHandler =>
  (context, session, d) => {
    for (const event of execute(context, session, parsePayload(schema(), d)) ?? []) session.dispatch(event.t, event.d)
  }

export const REQUEST_HANDLERS: ReadonlyMap<number, RequestHandler> = new Map([
  [GATEWAY_OPCODES.PRESENCE_UPDATE.op, request(PresenceInput, ({ sessions }, session, given) => sessions.setPresence(session, given))],
  [GATEWAY_OPCODES.VOICE_STATE_UPDATE.op, request(VoiceRequest, ({ platform }, session, given) => changeVoice(platform, session, given))],
  [GATEWAY_OPCODES.REQUEST_GUILD_MEMBERS.op, request(MembersRequest, memberChunks)],
  [
    GATEWAY_OPCODES.REQUEST_SOUNDBOARD_SOUNDS.op,
    request(SoundsRequest, ({ platform }, session, given) => soundboardSounds(platform, session, given)),
  ],
  [
    GATEWAY_OPCODES.REQUEST_CHANNEL_INFO.op,
    request(ChannelInfoRequest, ({ platform }, session, given) => channelInfo(platform, session, given)),
  ],
])
