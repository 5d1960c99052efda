/** Coverage of sections 8 and 9: limits, releases and dated changes. */
import { DATED_CHANGES } from './dated-changes.ts'
import { SDK_RELEASE_SECTION } from './sdk-releases.ts'
import { implemented, type Section } from './statement.ts'

export const LIMIT_SECTIONS: readonly Section[] = [
  {
    number: '8',
    title: 'Limits',
    statements: [
      implemented(
        '8-1',
        'All members of a guild (no limit, no query) can be requested once in 30 seconds per guild and bot.',
        'LIMITS.allMembersMs | daemon/src/events/providers/gateway/requests.ts | protocol/src/limits.ts',
      ),
      implemented('8-2', 'Lobby history: 200 messages.', 'LIMITS.lobbyMessages | protocol/src/limits.ts'),
      implemented('8-3', 'Lobby history: 72 hours.', 'LIMITS.lobbyMessageAge | protocol/src/limits.ts'),
      implemented('8-4', 'Bulk lobby members: 25 in one request.', 'LIMITS.lobbyBulkMembers'),
      implemented('8-5', 'Voice channel status: 500 characters.', 'LIMITS.voiceChannelStatus'),
      implemented(
        '8-6',
        'Guild tag: 1 to 4 characters, as the reference says; the bridge passes on what the platform sends.',
        'LIMITS.guildTag | protocol/src/records/user.ts | protocol/src/limits.ts',
      ),
      implemented('8-7', 'Embed fields: 25.', 'LIMITS.embedFields | protocol/src/records/embed.ts'),
      implemented(
        '8-8',
        'File upload: 10 MiB for each attachment.',
        'LIMITS.attachmentBytes | daemon/src/platform/api/open-upload.ts | protocol/src/limits.ts',
      ),
      implemented(
        '8-9',
        'File upload: it was 25 MiB until 16 January 2025; the lower limit also applies to interaction responses and webhooks.',
        'VERSIONS[upload-limit-lowered] | ENDPOINTS.CREATE_INTERACTION_RESPONSE.upload.fileLimit | protocol/src/versions.ts | protocol/src/endpoints/interactions.ts',
      ),
      implemented(
        '8-10',
        'File Upload component: minimum and maximum number of files, each 0 to 10.',
        'LIMITS.modalFiles | protocol/src/records/modal.ts',
      ),
      implemented('8-11', 'Components before V2: 5 action rows.', 'LIMITS.actionRows | protocol/src/records/message-draft.ts'),
      implemented('8-12', 'Components V2: 40 in all.', 'LIMITS.componentsV2 | protocol/src/records/message-draft.ts'),
      implemented(
        '8-13',
        'Components V2: no limit at the top level, nor within a container.',
        'LIMITS.componentsV2 | protocol/src/records/message-draft.ts',
      ),
      implemented('8-14', 'Context menu commands: 15 of each type.', 'LIMITS.contextMenuCommands | protocol/src/records/command-rules.ts'),
      implemented('8-15', 'Entry point commands: one, global.', 'LIMITS.entryPointCommands | protocol/src/records/command-rules.ts'),
      implemented('8-16', 'Application emoji: 2000.', 'LIMITS.applicationEmoji | daemon/sandbox/src/api/emojis.ts'),
      implemented('8-17', 'Follow-ups of user-installed apps: 5.', 'LIMITS.userInstallFollowups'),
      implemented('8-18', 'HTTP request timeout of the SDK: 30,000 ms unless set.', 'LIMITS.deadlineMs'),
      implemented(
        '8-19',
        'Privileged intents: from 10,000 users they need approval.',
        'LIMITS.privilegedIntentUsers | protocol/src/intents.ts',
      ),
      implemented('8-20', 'Lobby channel invite: one use.', 'LIMITS.lobbyInviteUses'),
      implemented('8-21', 'Lobby channel invite: 1 hour.', 'LIMITS.lobbyInviteAge'),
    ],
  },
  SDK_RELEASE_SECTION,
  DATED_CHANGES,
]
