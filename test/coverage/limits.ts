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
        'All members of a guild (no limit, no query) can be requested once in 30 seconds per guild and bot.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/requests.ts | protocol/src/limits.ts',
        'unit/daemon/events/providers/gateway/bot-requests.test.ts > all of them may be requested once per interval and guild; some of them always | e2e/gateway.test.ts > the bot requests members, as often as the platform allows',
      ),
      implemented(
        'Lobby history: 200 messages.',
        'endpoint:GET_LOBBY_MESSAGES | protocol/src/limits.ts',
        'unit/protocol/endpoints.test.ts > limit lobby messages | unit/protocol/responses.test.ts > contain at most the newest 200',
      ),
      implemented(
        'Lobby history: 72 hours.',
        'endpoint:GET_LOBBY_MESSAGES | protocol/src/limits.ts',
        'unit/daemon/rpc/handlers/responses.test.ts > lobby messages come the newest first, none older than 72 hours',
      ),
      implemented(
        'Bulk lobby members: 25 in one request.',
        'endpoint:BULK_UPDATE_LOBBY_MEMBERS',
        'unit/protocol/endpoints.test.ts > limit the members of a bulk request',
      ),
      implemented(
        'Voice channel status: 500 characters.',
        'endpoint:SET_VOICE_CHANNEL_STATUS',
        'unit/protocol/endpoints.test.ts > limit the status of a voice channel, which null clears',
      ),
      implemented(
        'Guild tag: 1 to 4 characters.',
        'protocol/src/records/user.ts | protocol/src/limits.ts',
        'unit/protocol/records.test.ts > the description of a guild tag contains its limit | unit/sandbox/api/dated-rules.test.ts > tags of guilds have 1 to 4 characters',
      ),
      implemented(
        'Embed fields: 25.',
        'protocol/src/records/embed.ts',
        'unit/protocol/messages.test.ts > have at most 25 fields | unit/sandbox/api/messages.test.ts > an embed of 26 fields',
      ),
      implemented(
        'File upload: 10 MiB for each attachment.',
        'daemon/src/platform/api/open-upload.ts | protocol/src/limits.ts',
        'e2e/uploads.test.ts > of 10 MiB go from their path to the platform, byte for byte | e2e/uploads.test.ts > of one byte more are refused before anything is sent | unit/sandbox/api/attachments.test.ts > may have files of 10 MiB each, and none larger',
      ),
      implemented(
        'File upload: it was 25 MiB until 16 January 2025; the lower limit also applies to interaction responses and webhooks.',
        'protocol/src/versions.ts | protocol/src/endpoints/interactions.ts',
        `${FROM_ITS_DAY} | unit/protocol/files.test.ts > limit each file separately, in messages, interaction responses and follow-ups`,
      ),
      implemented(
        'File Upload component: minimum and maximum number of files, each 0 to 10.',
        'protocol/src/records/modal.ts',
        'unit/protocol/interactions.test.ts > request 0 to 10 files',
      ),
      implemented(
        'Components before V2: 5 action rows.',
        'protocol/src/records/message-draft.ts',
        'unit/protocol/messages.test.ts > are at most five rows of buttons and selects',
      ),
      implemented(
        'Components V2: 40 in all.',
        'protocol/src/records/message-draft.ts',
        'unit/protocol/messages.test.ts > are at most 40 including nested ones, without a limit per level',
      ),
      implemented(
        'Components V2: no limit at the top level, nor within a container.',
        'protocol/src/records/message-draft.ts',
        'unit/protocol/messages.test.ts > are at most 40 including nested ones, without a limit per level',
      ),
      implemented(
        'Context menu commands: 15 of each type.',
        'protocol/src/records/command-rules.ts | endpoint:CREATE_GLOBAL_APPLICATION_COMMAND',
        'unit/protocol/administration.test.ts > are limited to 15 per context menu type | unit/sandbox/api/application-commands.test.ts > are 15 of each kind of menu, and one entry point',
      ),
      implemented(
        'Entry point commands: one, global.',
        'protocol/src/records/command-rules.ts',
        'unit/protocol/administration.test.ts > allow one global entry point | unit/sandbox/api/application-commands.test.ts > are no entry points, and are not where the bot is not',
      ),
      implemented(
        'Application emoji: 2000.',
        'endpoint:CREATE_APPLICATION_EMOJI | daemon/sandbox/src/api/emojis.ts',
        'unit/sandbox/api/expressions.test.ts > are 2000 and not one more',
      ),
      implemented(
        'Follow-ups of user-installed apps: 5.',
        'endpoint:CREATE_FOLLOWUP_MESSAGE',
        'unit/sandbox/api/interactions.test.ts > are five when only the user installed the application',
      ),
      implemented(
        'HTTP request timeout of the SDK: 30,000 ms unless set.',
        'command:SET_HTTP_REQUEST_TIMEOUT',
        'unit/daemon/rpc/handlers/bridge.test.ts > SET_HTTP_REQUEST_TIMEOUT sets the deadline of this connection and returns it | unit/daemon/rpc/handlers/responses.test.ts > SET_HTTP_REQUEST_TIMEOUT sets the deadline of forwarded calls',
      ),
      implemented(
        'Privileged intents: from 10,000 users they need approval.',
        'protocol/src/intents.ts',
        'unit/protocol/intents.test.ts > is enabled by its own flag only below 10,000 users',
      ),
      implemented(
        'Lobby channel invite: one use.',
        'endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF | endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
        'unit/sandbox/api/lobby-backend.test.ts > is what invites lead to; without one there are none | unit/sandbox/api/invites.test.ts > works as often as the invite says, and as long',
      ),
      implemented(
        'Lobby channel invite: 1 hour.',
        'endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF | endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
        'unit/sandbox/api/lobby-backend.test.ts > is what invites lead to; without one there are none',
      ),
    ],
  },
  SDK_RELEASE_SECTION,
  DATED_CHANGES,
]
