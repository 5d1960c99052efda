/** What a session may send: each operation with the form of its data and what comes of it. */
import { GATEWAY_OPCODES } from '@sallyport/protocol'
import type * as z from 'zod'
import { read } from '../identify.ts'
import type { Told } from '../occurrences/told.ts'
import { PresenceInput } from '../presences.ts'
import type { Session } from '../session.ts'
import type { Sessions } from '../sessions.ts'
import { channelInfo, ChannelInfoRequest, changeVoice, sounds, SoundsRequest, VoiceRequest } from './channels.ts'
import { membersAnswer, type MembersContext, MembersRequest } from './members.ts'

export interface RequestContext extends MembersContext {
  readonly sessions: Sessions
}

/** Throws Closed for data of the wrong form. */
type Request = (context: RequestContext, session: Session, d: unknown) => void

const request =
  <Schema extends z.ZodType>(
    schema: Schema,
    carryOut: (context: RequestContext, session: Session, args: z.output<Schema>) => readonly Told[] | void,
  ): Request =>
  (context, session, d) => {
    for (const told of carryOut(context, session, read(schema, d)) ?? []) session.tell(told.t, told.d)
  }

export const REQUESTS: ReadonlyMap<number, Request> = new Map([
  [GATEWAY_OPCODES.PRESENCE_UPDATE.op, request(PresenceInput, ({ sessions }, session, given) => sessions.setPresence(session, given))],
  [GATEWAY_OPCODES.VOICE_STATE_UPDATE.op, request(VoiceRequest, ({ platform }, session, given) => changeVoice(platform, session, given))],
  [GATEWAY_OPCODES.REQUEST_GUILD_MEMBERS.op, request(MembersRequest, membersAnswer)],
  [
    GATEWAY_OPCODES.REQUEST_SOUNDBOARD_SOUNDS.op,
    request(SoundsRequest, ({ platform }, session, given) => sounds(platform, session, given)),
  ],
  [
    GATEWAY_OPCODES.REQUEST_CHANNEL_INFO.op,
    request(ChannelInfoRequest, ({ platform }, session, given) => channelInfo(platform, session, given)),
  ],
])
