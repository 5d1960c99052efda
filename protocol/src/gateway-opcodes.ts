/** Opcodes of the platform's gateway, and their sender. */

export interface GatewayOpcodeRow {
  readonly op: number
  /** Sender: the platform, the bridge, or both. */
  readonly from: 'platform' | 'client' | 'both'
  readonly summary: string
}

export const GATEWAY_OPCODES = {
  DISPATCH: { op: 0, from: 'platform', summary: 'An event; `t` is its name, `s` its sequence number.' },
  HEARTBEAT: { op: 1, from: 'both', summary: 'Heartbeat with the last `s`; from the platform: request for an immediate heartbeat.' },
  IDENTIFY: { op: 2, from: 'client', summary: 'Starts a session.' },
  PRESENCE_UPDATE: { op: 3, from: 'client', summary: 'Sets the presence.' },
  VOICE_STATE_UPDATE: { op: 4, from: 'client', summary: 'Joins, moves between or leaves voice channels.' },
  RESUME: { op: 6, from: 'client', summary: 'Resumes a session; the platform then sends the missed events.' },
  RECONNECT: { op: 7, from: 'platform', summary: 'Requests a reconnect and resume; can arrive before Hello.' },
  REQUEST_GUILD_MEMBERS: { op: 8, from: 'client', summary: 'Requests members of a guild.' },
  INVALID_SESSION: { op: 9, from: 'platform', summary: 'The session is invalid; `d` is true if it can be resumed.' },
  HELLO: { op: 10, from: 'platform', summary: 'First payload; contains the heartbeat interval.' },
  HEARTBEAT_ACK: { op: 11, from: 'platform', summary: 'Acknowledges a heartbeat.' },
  REQUEST_SOUNDBOARD_SOUNDS: { op: 31, from: 'client', summary: 'Requests the sounds of guilds.' },
  REQUEST_CHANNEL_INFO: { op: 43, from: 'client', summary: 'Requests the voice status of the channels of a guild.' },
} as const satisfies Readonly<Record<string, GatewayOpcodeRow>>

/** Gateway version, as in the gateway URL. */
export const GATEWAY_VERSION = 10
