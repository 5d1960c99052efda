/** Operations of the platform's gateway, each with the side that sends it. */

export interface GatewayOpcodeRow {
  readonly op: number
  /** Who sends it: the platform, we, or both. */
  readonly from: 'platform' | 'us' | 'both'
  readonly summary: string
}

export const GATEWAY_OPCODES = {
  DISPATCH: { op: 0, from: 'platform', summary: 'An event: its name in `t`, its number in `s`.' },
  HEARTBEAT: { op: 1, from: 'both', summary: 'Says that we live, with the last `s`; from the platform: asks for one at once.' },
  IDENTIFY: { op: 2, from: 'us', summary: 'Begins a session.' },
  PRESENCE_UPDATE: { op: 3, from: 'us', summary: 'Sets the presence.' },
  VOICE_STATE_UPDATE: { op: 4, from: 'us', summary: 'Joins, moves between or leaves voice channels.' },
  RESUME: { op: 6, from: 'us', summary: 'Goes on with a session after a break; what was missed follows.' },
  RECONNECT: { op: 7, from: 'platform', summary: 'Asks us to connect again and resume; may come before Hello.' },
  REQUEST_GUILD_MEMBERS: { op: 8, from: 'us', summary: 'Asks for members of a guild.' },
  INVALID_SESSION: { op: 9, from: 'platform', summary: 'The session is over, or cannot begin; `d` says whether it may be resumed.' },
  HELLO: { op: 10, from: 'platform', summary: 'The first word: the time between heartbeats.' },
  HEARTBEAT_ACK: { op: 11, from: 'platform', summary: 'A heartbeat arrived.' },
  REQUEST_SOUNDBOARD_SOUNDS: { op: 31, from: 'us', summary: 'Asks for the sounds of guilds.' },
  REQUEST_CHANNEL_INFO: { op: 43, from: 'us', summary: 'Asks for the voice status of the channels of a guild.' },
} as const satisfies Readonly<Record<string, GatewayOpcodeRow>>

/** Version of the gateway that we speak, as the address names it. */
export const GATEWAY_VERSION = 10
