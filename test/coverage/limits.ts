/** Coverage of sections 8 and 9: limits, releases and dated changes. */
import { DATED_CHANGES } from './dated-changes.ts'
import { SDK_RELEASE_SECTION } from './sdk-releases.ts'
import { implemented, type Section } from './statement.ts'

const FROM_ITS_DAY = 'unit/protocol/versions.test.ts > %s from the first millisecond of its day'

export const LIMIT_SECTIONS: readonly Section[] = [
  {
    number: '8',
    title: 'Limits',
    statements: [
      implemented(
        '8-1',
        'All members of a guild (no limit, no query) can be requested once in 30 seconds per guild and bot.',
        'COMMANDS.REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts | protocol/src/limits.ts',
      ),
      implemented('8-2', 'Lobby history: 200 messages.', 'ENDPOINTS.GET_LOBBY_MESSAGES | protocol/src/limits.ts'),
      implemented('8-3', 'Lobby history: 72 hours.', 'ENDPOINTS.GET_LOBBY_MESSAGES | protocol/src/limits.ts'),
      implemented('8-4', 'Bulk lobby members: 25 in one request.', 'ENDPOINTS.BULK_UPDATE_LOBBY_MEMBERS'),
      implemented('8-5', 'Voice channel status: 500 characters.', 'ENDPOINTS.SET_VOICE_CHANNEL_STATUS'),
      implemented('8-6', 'Guild tag: 1 to 4 characters.', 'protocol/src/records/user.ts | protocol/src/limits.ts'),
      implemented('8-7', 'Embed fields: 25.', 'protocol/src/records/embed.ts'),
      implemented('8-8', 'File upload: 10 MiB for each attachment.', 'daemon/src/platform/api/open-upload.ts | protocol/src/limits.ts'),
      implemented(
        '8-9',
        'File upload: it was 25 MiB until 16 January 2025; the lower limit also applies to interaction responses and webhooks.',
        'protocol/src/versions.ts | protocol/src/endpoints/interactions.ts',
      ),
      implemented('8-10', 'File Upload component: minimum and maximum number of files, each 0 to 10.', 'protocol/src/records/modal.ts'),
      implemented('8-11', 'Components before V2: 5 action rows.', 'protocol/src/records/message-draft.ts'),
      implemented('8-12', 'Components V2: 40 in all.', 'protocol/src/records/message-draft.ts'),
      implemented('8-13', 'Components V2: no limit at the top level, nor within a container.', 'protocol/src/records/message-draft.ts'),
      implemented(
        '8-14',
        'Context menu commands: 15 of each type.',
        'protocol/src/records/command-rules.ts | ENDPOINTS.CREATE_GLOBAL_APPLICATION_COMMAND',
      ),
      implemented('8-15', 'Entry point commands: one, global.', 'protocol/src/records/command-rules.ts'),
      implemented('8-16', 'Application emoji: 2000.', 'ENDPOINTS.CREATE_APPLICATION_EMOJI | daemon/sandbox/src/api/emojis.ts'),
      implemented('8-17', 'Follow-ups of user-installed apps: 5.', 'ENDPOINTS.CREATE_FOLLOWUP_MESSAGE'),
      implemented('8-18', 'HTTP request timeout of the SDK: 30,000 ms unless set.', 'COMMANDS.SET_HTTP_REQUEST_TIMEOUT'),
      implemented('8-19', 'Privileged intents: from 10,000 users they need approval.', 'protocol/src/intents.ts'),
      implemented(
        '8-20',
        'Lobby channel invite: one use.',
        'ENDPOINTS.CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF | ENDPOINTS.CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
      ),
      implemented(
        '8-21',
        'Lobby channel invite: 1 hour.',
        'ENDPOINTS.CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF | ENDPOINTS.CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
      ),
    ],
  },
  SDK_RELEASE_SECTION,
  DATED_CHANGES,
]
