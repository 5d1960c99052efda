/** Coverage of section 9.2: dated changes of the platform. */
import { implemented, type Section } from './statement.ts'

const HAS_BIT = 'unit/protocol/permissions.test.ts > %s is 1 << %i'
const FROM_ITS_DAY = 'unit/protocol/versions.test.ts > %s from the first millisecond of its day'

export const DATED_CHANGES: Section = {
  number: '9.2',
  title: 'Dated platform changes',
  statements: [
    implemented(
      '15 July 2025: applications cannot create guilds.',
      'endpoint:CREATE_GUILD | protocol/src/versions.ts',
      `${FROM_ITS_DAY} | unit/protocol/versions.test.ts > contain the day on which a row became unavailable | unit/sandbox/api/operations.test.ts > guilds cannot be created by applications`,
    ),
    implemented(
      '1 October 2025: the rate of requests for all members is enforced everywhere.',
      'protocol/src/versions.ts | command:GET_PLATFORM_CHANGES',
      `${FROM_ITS_DAY} | unit/daemon/rpc/handlers/platform-facts.test.ts > returns for every change whether it is in effect, today or on a named day`,
    ),
    implemented(
      '23 February 2026: pinning needs PIN_MESSAGES (1 << 51); MANAGE_MESSAGES is not sufficient.',
      'endpoint:PIN_MESSAGE | endpoint:UNPIN_MESSAGE | protocol/src/versions.ts | protocol/src/permissions.ts',
      `unit/sandbox/api/messages.test.ts > need PIN_MESSAGES since 23 February 2026; MANAGE_MESSAGES is not enough | unit/protocol/permissions.test.ts > pinning requires only PIN_MESSAGES, also on the earlier routes | ${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    implemented(
      'An earlier notice named 12 January 2026; the later day is in effect.',
      'protocol/src/versions.ts | command:GET_PLATFORM_CHANGES',
      'unit/protocol/versions.test.ts > uses the later of two announced days | unit/daemon/rpc/handlers/platform-facts.test.ts > contains the earlier notice of a postponed change',
    ),
    implemented(
      '23 February 2026: BYPASS_SLOWMODE (1 << 52) is required to bypass slowmode.',
      'daemon/sandbox/src/api/slowmode.ts | protocol/src/versions.ts | protocol/src/permissions.ts',
      `unit/sandbox/api/dated-rules.test.ts > holds back who has no permission to pass it, and says for how long | ${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    implemented(
      'It was part of MANAGE_MESSAGES, MANAGE_CHANNELS and MANAGE_THREADS before, and no longer is.',
      'daemon/sandbox/src/api/slowmode.ts',
      'unit/sandbox/api/dated-rules.test.ts > is passed with %s before and from 23 February 2026 on: %j',
    ),
    implemented(
      '23 February 2026: bots need CREATE_GUILD_EXPRESSIONS (1 << 43) to add emoji, stickers and sounds to a guild.',
      'endpoint:CREATE_GUILD_SOUNDBOARD_SOUND | protocol/src/versions.ts | protocol/src/permissions.ts',
      `unit/sandbox/api/dated-rules.test.ts > needs CREATE_GUILD_EXPRESSIONS from 23 February 2026 on, and MANAGE_GUILD_EXPRESSIONS before | unit/protocol/bot-endpoints.test.ts > require the permissions of 23 February 2026 | ${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    implemented(
      '23 February 2026: bots need CREATE_EVENTS (1 << 44) for scheduled events.',
      'protocol/src/versions.ts | protocol/src/permissions.ts',
      `${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    implemented(
      '1 March 2026: calls are end-to-end encrypted only, in direct and group messages, voice channels and streams.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION | protocol/src/versions.ts',
      `unit/protocol/voice-protocol.test.ts > calls without end-to-end encryption are rejected from 1 March 2026 | unit/daemon/rpc/handlers/platform-facts.test.ts > rejects %j with its date | ${FROM_ITS_DAY}`,
    ),
    implemented(
      '10 July 2026: connections of provider A are removed.',
      'protocol/src/versions.ts | protocol/src/responses/connections.ts',
      `${FROM_ITS_DAY} | unit/protocol/responses.test.ts > the day before 10 July 2026`,
    ),
    implemented(
      '22 September 2026: connections of provider B are removed.',
      'protocol/src/versions.ts | protocol/src/responses/connections.ts',
      `${FROM_ITS_DAY} | unit/protocol/responses.test.ts > the day before 22 September 2026 | unit/daemon/app/platform.test.ts > kinds of removed connections are those that are known`,
    ),
    implemented(
      '16 November 2026: hidden channels are omitted from GET_GUILD_CHANNELS.',
      'endpoint:GET_GUILD_CHANNELS | protocol/src/versions.ts',
      `${FROM_ITS_DAY} | unit/protocol/responses.test.ts > that are hidden are omitted from 16 November 2026, not before`,
    ),
    implemented(
      '18 November 2024: all xsalsa20_poly1305 modes and aead_aes256_gcm are discontinued.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION',
      `unit/protocol/voice-protocol.test.ts > %s is rejected from its day unless it is documented | unit/daemon/rpc/handlers/platform-facts.test.ts > rejects %j with its date | ${FROM_ITS_DAY}`,
    ),
    implemented(
      'aead_aes256_gcm_rtpsize and aead_xchacha20_poly1305_rtpsize are the documented modes.',
      'protocol/src/voice-protocol.ts',
      'unit/protocol/voice-protocol.test.ts > documented modes are the two with rtpsize | unit/daemon/rpc/handlers/platform-facts.test.ts > returns the allowed modes',
    ),
    implemented(
      '18 November 2024: versions of the voice gateway below 4 are discontinued, and a version must be passed.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION',
      'unit/protocol/voice-protocol.test.ts > %j since 18 November 2024 | unit/daemon/rpc/handlers/platform-facts.test.ts > rejects %j with its date',
    ),
    implemented(
      'Version 8 of the voice gateway resumes with missed messages.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION',
      'unit/protocol/voice-protocol.test.ts > from 8 receive missed messages on a resume | unit/daemon/rpc/handlers/platform-facts.test.ts > returns the allowed modes',
    ),
    implemented('USE_EXTERNAL_APPS is 1 << 50.', 'protocol/src/permissions.ts', HAS_BIT),
    implemented(
      'The activity proxy accepts paths with and without /.proxy/, with the same meaning.',
      'daemon/sandbox/src/embedded/proxy-server.ts | protocol/src/activity-urls.ts | command:MAP_ACTIVITY_URL',
      'e2e/embedded.test.ts > loads through the proxy, signs in and sets its presence with the published SDK | unit/sandbox/embedded/mappings.test.ts > %s to %s | unit/protocol/activity-urls.test.ts > %s means %s',
    ),
    implemented(
      'The activity proxy has a host for each application, named by its id.',
      'daemon/sandbox/src/embedded/proxy-server.ts | protocol/src/activity-urls.ts | command:MAP_ACTIVITY_URL',
      'unit/sandbox/embedded/activity-proxy.test.ts > has an address of its own, and its requests reach the server | unit/daemon/rpc/handlers/platform-facts.test.ts > maps to the proxy of this application on this platform | conformance/vectors/platform-facts.json > MAP_ACTIVITY_URL',
    ),
    implemented(
      'Embedded App SDK 2.1 adds URLs of activity texts and images, which are accepted from every game.',
      'protocol/src/records/activity.ts | command:SET_ACTIVITY',
      'unit/protocol/records.test.ts > accepts %s | unit/protocol/activity-input.test.ts > %s is an http or https URL with a maximum length | conformance/vectors/set-activity.json > all fields',
    ),
    implemented(
      'From Embedded App SDK 2.2, mapped URLs have no prefix.',
      'protocol/src/activity-urls.ts | command:MAP_ACTIVITY_URL',
      'unit/protocol/activity-urls.test.ts > the Embedded SDK %s writes the prefix: %s | unit/daemon/rpc/handlers/platform-facts.test.ts > maps to the proxy of this application on this platform',
    ),
  ],
}
