/** The PERMISSIONS table: guild permission bits used by rows. Bits beyond 30 exceed a 32-bit integer, so values are bigint here and decimal text on the wire. */

export interface PermissionRow {
  readonly bit: bigint
  readonly summary: string
}

const bit = (shift: bigint, summary: string) => ({ bit: 1n << shift, summary }) as const satisfies PermissionRow

export const PERMISSIONS = {
  CREATE_INSTANT_INVITE: bit(0n, 'Create invites.'),
  KICK_MEMBERS: bit(1n, 'Remove members.'),
  BAN_MEMBERS: bit(2n, 'Ban members.'),
  ADMINISTRATOR: bit(3n, 'All permissions, in every channel.'),
  MANAGE_CHANNELS: bit(4n, 'Edit channels.'),
  MANAGE_GUILD: bit(5n, 'Edit the guild.'),
  ADD_REACTIONS: bit(6n, 'React to messages.'),
  VIEW_AUDIT_LOG: bit(7n, 'Read the audit log.'),
  VIEW_CHANNEL: bit(10n, 'View a channel.'),
  SEND_MESSAGES: bit(11n, 'Send messages in a channel.'),
  SEND_TTS_MESSAGES: bit(12n, 'Send text-to-speech messages.'),
  MANAGE_MESSAGES: bit(13n, 'Delete messages of other users.'),
  ATTACH_FILES: bit(15n, 'Send files.'),
  READ_MESSAGE_HISTORY: bit(16n, 'Read earlier messages.'),
  CONNECT: bit(20n, 'Join voice channels.'),
  SPEAK: bit(21n, 'Speak in voice channels.'),
  MUTE_MEMBERS: bit(22n, 'Mute members in voice channels.'),
  DEAFEN_MEMBERS: bit(23n, 'Deafen members in voice channels.'),
  MOVE_MEMBERS: bit(24n, 'Move members between voice channels.'),
  CHANGE_NICKNAME: bit(26n, "Change one's own nickname."),
  MANAGE_NICKNAMES: bit(27n, 'Change nicknames of other members.'),
  MANAGE_ROLES: bit(28n, 'Edit roles.'),
  MANAGE_GUILD_EXPRESSIONS: bit(30n, 'Edit and delete emoji, stickers and sounds of other users.'),
  MANAGE_EVENTS: bit(33n, 'Edit and delete scheduled events of other users.'),
  MANAGE_THREADS: bit(34n, 'Edit threads.'),
  MODERATE_MEMBERS: bit(40n, 'Put members in a timeout.'),
  USE_SOUNDBOARD: bit(42n, 'Play sounds.'),
  CREATE_GUILD_EXPRESSIONS: bit(43n, 'Create emoji, stickers and sounds.'),
  CREATE_EVENTS: bit(44n, 'Create scheduled events.'),
  USE_EXTERNAL_SOUNDS: bit(45n, 'Play sounds of other guilds.'),
  SET_VOICE_CHANNEL_STATUS: bit(48n, 'Set the status of a voice channel.'),
  USE_EXTERNAL_APPS: bit(50n, 'Use apps that are not installed in the guild.'),
  PIN_MESSAGES: bit(51n, 'Pin and unpin messages.'),
  BYPASS_SLOWMODE: bit(52n, 'Send messages without slowmode.'),
} as const satisfies Record<string, PermissionRow>

export type PermissionName = keyof typeof PERMISSIONS
