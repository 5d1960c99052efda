/** The events of the fan-out row: a guild gets a new name each time. Both forms: as the gateway sends it, and as games receive it. */
import { frame, OPCODE } from './frames.ts'

/** Who wants what: every client the same guild, or each a guild of its own. */
export type Spread = 'all' | 'each'

const FIRST_GUILD = 300_000_000_000_000_000n
const DIGITS = 8

export const guildId = (index: number): string => String(FIRST_GUILD + BigInt(index))

/** A new name for each event, and all of one length. */
export const nameAt = (event: number): string => `The harbour watch ${String(event).padStart(DIGITS, '0')}`

/** The form that the gateway sends. */
export const gatewayGuild = (index: number, event: number): object => ({
  id: guildId(index),
  name: nameAt(event),
  icon: null,
  owner_id: '200000000000000001',
  features: [],
})

export const guildStatus = (index: number, event: number): object => ({
  cmd: 'DISPATCH',
  data: { guild: { id: guildId(index), name: nameAt(event), icon_url: null }, online: 0 },
  evt: 'GUILD_STATUS',
  nonce: null,
})

/** The very bytes that the bridge sends for it. */
export const guildStatusFrame = (index: number, event: number): Buffer => frame(OPCODE.FRAME, JSON.stringify(guildStatus(index, event)))
