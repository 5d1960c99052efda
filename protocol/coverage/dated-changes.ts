/** Coverage of section 9.2: changes of the platform that have a day. */
import { held, type Section } from './statement.ts'

const HAS_BIT = 'unit/protocol/permissions.test.ts > %s is 1 << %i'
const FROM_ITS_DAY = 'unit/protocol/versions.test.ts > %s from its first millisecond on'

export const DATED_CHANGES: Section = {
  number: '9.2',
  title: 'Dated platform changes',
  statements: [
    held(
      '15 July 2025: applications cannot create guilds.',
      'endpoint:CREATE_GUILD | protocol/src/versions.ts',
      `${FROM_ITS_DAY} | unit/protocol/versions.test.ts > say the day on which a row became unavailable | unit/sandbox/api/operations.test.ts > guilds cannot be created by applications`,
    ),
    held(
      '1 October 2025: the rate of requests for all members is enforced everywhere.',
      'protocol/src/versions.ts | command:GET_PLATFORM_CHANGES',
      `${FROM_ITS_DAY} | unit/daemon/rpc/handlers/platform-facts.test.ts > says of every change whether it holds, today or on a named day`,
    ),
    held(
      '23 February 2026: pinning needs PIN_MESSAGES (1 << 51); MANAGE_MESSAGES alone is not enough.',
      'endpoint:PIN_MESSAGE | endpoint:UNPIN_MESSAGE | protocol/src/versions.ts | protocol/src/permissions.ts',
      `unit/sandbox/api/messages.test.ts > need PIN_MESSAGES since 23 February 2026; MANAGE_MESSAGES is not enough | unit/protocol/permissions.test.ts > pinning asks for PIN_MESSAGES alone, by the earlier routes too | ${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    held(
      'An earlier notice of it said 12 January 2026; the later one holds.',
      'protocol/src/versions.ts',
      'unit/protocol/versions.test.ts > goes by the later of two notices',
    ),
    held(
      '23 February 2026: BYPASS_SLOWMODE (1 << 52) is needed to pass slowmode.',
      'daemon/sandbox/src/api/slowmode.ts | protocol/src/versions.ts | protocol/src/permissions.ts',
      `unit/sandbox/api/dated-rules.test.ts > holds back who has no permission to pass it, and says for how long | ${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    held(
      'It was part of MANAGE_MESSAGES, MANAGE_CHANNELS and MANAGE_THREADS before, and no longer is.',
      'daemon/sandbox/src/api/slowmode.ts',
      'unit/sandbox/api/dated-rules.test.ts > is passed with %s before and from 23 February 2026 on: %j',
    ),
    held(
      '23 February 2026: bots need CREATE_GUILD_EXPRESSIONS (1 << 43) for what they add to a guild: emoji, stickers, sounds.',
      'endpoint:CREATE_GUILD_SOUNDBOARD_SOUND | protocol/src/versions.ts | protocol/src/permissions.ts',
      `unit/sandbox/api/dated-rules.test.ts > needs CREATE_GUILD_EXPRESSIONS from 23 February 2026 on, and MANAGE_GUILD_EXPRESSIONS before | unit/protocol/bot-endpoints.test.ts > ask for the bits that the platform asks since 23 February 2026 | ${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    held(
      '23 February 2026: bots need CREATE_EVENTS (1 << 44) for scheduled events.',
      'protocol/src/versions.ts | protocol/src/permissions.ts',
      `${HAS_BIT} | ${FROM_ITS_DAY}`,
    ),
    held(
      '1 March 2026: calls are end-to-end encrypted only, in direct and group messages, voice channels and streams.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION | protocol/src/versions.ts',
      `unit/protocol/voice-protocol.test.ts > calls that are not end-to-end encrypted are refused from 1 March 2026 on | unit/daemon/rpc/handlers/platform-facts.test.ts > refuses %j and says since when | ${FROM_ITS_DAY}`,
    ),
    held(
      '10 July 2026: connections of provider A end.',
      'protocol/src/versions.ts | protocol/src/answers/connections.ts',
      `${FROM_ITS_DAY} | unit/protocol/answers.test.ts > the day before 10 July 2026`,
    ),
    held(
      '22 September 2026: connections of provider B end.',
      'protocol/src/versions.ts | protocol/src/answers/connections.ts',
      `${FROM_ITS_DAY} | unit/protocol/answers.test.ts > the day before 22 September 2026`,
    ),
    held(
      '16 November 2026: hidden channels are left out of GET_GUILD_CHANNELS.',
      'endpoint:GET_GUILD_CHANNELS | protocol/src/versions.ts',
      `${FROM_ITS_DAY} | unit/protocol/answers.test.ts > that are hidden are left out from 16 November 2026 on, not before`,
    ),
    held(
      '18 November 2024: all xsalsa20_poly1305 modes and aead_aes256_gcm are discontinued.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION',
      `unit/protocol/voice-protocol.test.ts > %s is refused from its day on unless it is documented | unit/daemon/rpc/handlers/platform-facts.test.ts > refuses %j and says since when | ${FROM_ITS_DAY}`,
    ),
    held(
      'aead_aes256_gcm_rtpsize and aead_xchacha20_poly1305_rtpsize are the documented modes.',
      'protocol/src/voice-protocol.ts',
      'unit/protocol/voice-protocol.test.ts > that are documented are the two with rtpsize | unit/daemon/rpc/handlers/platform-facts.test.ts > answers what may be used',
    ),
    held(
      '18 November 2024: versions of the voice gateway below 4 are discontinued, and a version must be passed.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION',
      'unit/protocol/voice-protocol.test.ts > %j since 18 November 2024 | unit/daemon/rpc/handlers/platform-facts.test.ts > refuses %j and says since when',
    ),
    held(
      'Version 8 of the voice gateway resumes with what was missed.',
      'protocol/src/voice-protocol.ts | command:CHECK_VOICE_CONNECTION',
      'unit/protocol/voice-protocol.test.ts > from 8 on give what was missed on a resume | unit/daemon/rpc/handlers/platform-facts.test.ts > answers what may be used',
    ),
    held('USE_EXTERNAL_APPS is 1 << 50.', 'protocol/src/permissions.ts', HAS_BIT),
    held(
      'The activity proxy takes paths with and without /.proxy/, and both mean the same.',
      'protocol/src/activity-urls.ts | command:MAP_ACTIVITY_URL',
      'unit/protocol/activity-urls.test.ts > %s means %s | unit/protocol/activity-urls.test.ts > an address of the proxy comes back in the form of the SDK, whichever of the two it had',
    ),
    held(
      'The activity proxy has a host for each application, named by its id.',
      'protocol/src/activity-urls.ts | command:MAP_ACTIVITY_URL',
      'unit/daemon/rpc/handlers/platform-facts.test.ts > leads through the proxy of this application on this platform | conformance/vectors/platform-facts.json > MAP_ACTIVITY_URL',
    ),
    held(
      'Embedded App SDK 2.1 adds the addresses of activity texts and images, which are taken from every game.',
      'protocol/src/records/activity.ts | command:SET_ACTIVITY',
      'unit/protocol/records.test.ts > takes %s | unit/protocol/activity-input.test.ts > %s is an http or https URL of bounded length | conformance/vectors/set-activity.json > everything there is',
    ),
    held(
      'From Embedded App SDK 2.2 on mapped addresses are written without the prefix.',
      'protocol/src/activity-urls.ts | command:MAP_ACTIVITY_URL',
      'unit/protocol/activity-urls.test.ts > the Embedded SDK %s writes the prefix: %s | unit/daemon/rpc/handlers/platform-facts.test.ts > leads through the proxy of this application on this platform',
    ),
  ],
}
