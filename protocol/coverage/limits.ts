/** Coverage of sections 8 and 9: limits, releases and dated changes. */
import { DATED_CHANGES } from './dated-changes.ts'
import { SDK_RELEASE_SECTION } from './sdk-releases.ts'
import { held, type Section } from './statement.ts'

const IS_NUMBER = 'unit/protocol/limits.test.ts > %s is %i %s'
const FROM_ITS_DAY = 'unit/protocol/versions.test.ts > %s from its first millisecond on'

export const LIMIT_SECTIONS: readonly Section[] = [
  {
    number: '8',
    title: 'Limits',
    statements: [
      held(
        'All members of a guild (no limit, no query) can be requested once in 30 seconds per guild and bot.',
        'command:REQUEST_GUILD_MEMBERS | daemon/src/events/providers/gateway/asks.ts | protocol/src/limits.ts',
        'unit/daemon/events/providers/gateway/questions.test.ts > all of them may be asked for once in a while, guild by guild; some of them always | e2e/gateway.test.ts > the bot is asked for members, as often as the platform allows',
      ),
      held(
        'Lobby history: 200 messages.',
        'endpoint:GET_LOBBY_MESSAGES | protocol/src/limits.ts',
        `${IS_NUMBER} | unit/protocol/endpoints.test.ts > bound lobby messages | unit/protocol/answers.test.ts > hold 200 at most, the newest of all`,
      ),
      held(
        'Lobby history: 72 hours.',
        'endpoint:GET_LOBBY_MESSAGES | protocol/src/limits.ts',
        `${IS_NUMBER} | unit/daemon/rpc/handlers/answers.test.ts > lobby messages come the newest first, none older than 72 hours`,
      ),
      held(
        'Bulk lobby members: 25 in one request.',
        'endpoint:BULK_UPDATE_LOBBY_MEMBERS',
        `${IS_NUMBER} | unit/protocol/endpoints.test.ts > bound the members of a bulk request`,
      ),
      held(
        'Voice channel status: 500 characters.',
        'endpoint:SET_VOICE_CHANNEL_STATUS',
        `${IS_NUMBER} | unit/protocol/endpoints.test.ts > bound the status of a voice channel, which null clears`,
      ),
      held(
        'Guild tag: 1 to 4 characters.',
        'protocol/src/records/user.ts | protocol/src/limits.ts',
        `${IS_NUMBER} | unit/protocol/limits.test.ts > the tag of a guild is described by its limit | unit/sandbox/api/dated-rules.test.ts > tags of guilds have 1 to 4 characters`,
      ),
      held(
        'Embed fields: 25.',
        'protocol/src/records/embed.ts',
        `${IS_NUMBER} | unit/protocol/messages.test.ts > have at most 25 fields | unit/sandbox/api/messages.test.ts > an embed of 26 fields`,
      ),
      held(
        'File upload: 10 MiB for each attachment.',
        'daemon/src/platform/api/open-upload.ts | protocol/src/limits.ts',
        `${IS_NUMBER} | e2e/uploads.test.ts > of 10 MiB go from their path to the platform, byte for byte | e2e/uploads.test.ts > of one byte more are refused before anything is sent | unit/sandbox/api/attachments.test.ts > may have files of 10 MiB each, and none larger`,
      ),
      held(
        'File upload: it was 25 MiB until 16 January 2025; the lower limit is that of interaction responses and webhooks too.',
        'protocol/src/versions.ts | protocol/src/endpoints/interactions.ts',
        `${FROM_ITS_DAY} | unit/protocol/files.test.ts > count each file by itself, in messages, answers to interactions and follow-ups alike`,
      ),
      held(
        'File Upload component: least and most files each 0 to 10.',
        'protocol/src/records/modal.ts',
        `${IS_NUMBER} | unit/protocol/interactions.test.ts > ask for 0 to 10 files`,
      ),
      held(
        'Components before V2: 5 action rows.',
        'protocol/src/records/message-draft.ts',
        `${IS_NUMBER} | unit/protocol/messages.test.ts > are at most five rows of buttons and selects | conformance/vectors/messages.json > forty components v2 and five rows are enough`,
      ),
      held(
        'Components V2: 40 in all.',
        'protocol/src/records/message-draft.ts',
        `${IS_NUMBER} | unit/protocol/messages.test.ts > are at most forty, those within others counted too, with no bound at the top or in a container`,
      ),
      held(
        'Components V2: no limit at the top level, nor within a container.',
        'protocol/src/records/message-draft.ts',
        'unit/protocol/messages.test.ts > are at most forty, those within others counted too, with no bound at the top or in a container',
      ),
      held(
        'Context menu commands: 15 of each type.',
        'protocol/src/records/command-rules.ts | endpoint:CREATE_GLOBAL_APPLICATION_COMMAND',
        `${IS_NUMBER} | unit/protocol/administration.test.ts > are 15 of each kind of menu, counted apart | unit/sandbox/api/application-commands.test.ts > are 15 of each kind of menu, and one entry point`,
      ),
      held(
        'Entry point commands: one, global.',
        'protocol/src/records/command-rules.ts',
        `${IS_NUMBER} | unit/protocol/administration.test.ts > have one entry point, globally | unit/sandbox/api/application-commands.test.ts > are no entry points, and are not where the bot is not`,
      ),
      held(
        'Application emoji: 2000.',
        'endpoint:CREATE_APPLICATION_EMOJI | daemon/sandbox/src/api/emojis.ts',
        `${IS_NUMBER} | unit/sandbox/api/expressions.test.ts > are 2000 and not one more`,
      ),
      held(
        'Follow-ups of user-installed apps: 5.',
        'endpoint:CREATE_FOLLOWUP_MESSAGE',
        `${IS_NUMBER} | unit/sandbox/api/interactions.test.ts > are five when only the user installed the application`,
      ),
      held(
        'HTTP request timeout of the SDK: 30,000 ms unless set.',
        'command:SET_HTTP_REQUEST_TIMEOUT',
        `${IS_NUMBER} | unit/daemon/rpc/handlers/bridge.test.ts > SET_HTTP_REQUEST_TIMEOUT holds for this connection and is answered | unit/daemon/rpc/handlers/answers.test.ts > SET_HTTP_REQUEST_TIMEOUT governs what is forwarded`,
      ),
      held(
        'Privileged intents: from 10,000 users on they need an approval.',
        'protocol/src/intents.ts',
        `${IS_NUMBER} | unit/protocol/intents.test.ts > is had by its own flag below 10,000 users, and no longer from there on`,
      ),
      held(
        'Lobby channel invite: it works once.',
        'endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF | endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
        'unit/sandbox/api/lobby-backend.test.ts > is what invites lead to; without one there are none | unit/sandbox/api/invites.test.ts > works as often as the invite says, and as long',
      ),
      held(
        'Lobby channel invite: 1 hour.',
        'endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_SELF | endpoint:CREATE_LOBBY_CHANNEL_INVITE_FOR_USER',
        `${IS_NUMBER} | unit/sandbox/api/lobby-backend.test.ts > is what invites lead to; without one there are none`,
      ),
    ],
  },
  SDK_RELEASE_SECTION,
  DATED_CHANGES,
]
