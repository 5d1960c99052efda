/** Coverage of section 9.2: dated changes of the platform. */
import { implemented, type Section } from './statement.ts'

export const DATED_CHANGES: Section = {
  number: '9.2',
  title: 'Dated platform changes',
  statements: [
    implemented(
      '9.2-1',
      '15 July 2025: applications cannot create guilds.',
      'VERSIONS[create-guild-unavailable] | ENDPOINTS.CREATE_GUILD.unavailable.since | protocol/src/versions.ts',
    ),
    implemented(
      '9.2-2',
      '1 October 2025: the rate of requests for all members is enforced everywhere.',
      'VERSIONS[all-members-limit] | protocol/src/versions.ts',
    ),
    implemented(
      '9.2-3',
      '23 February 2026: pinning needs PIN_MESSAGES (1 << 51); MANAGE_MESSAGES is not sufficient.',
      'VERSIONS[pin-needs-own-permission] | PERMISSIONS.PIN_MESSAGES | ENDPOINTS.PIN_MESSAGE.permissions | ENDPOINTS.UNPIN_MESSAGE.permissions | protocol/src/versions.ts | protocol/src/permissions.ts',
    ),
    implemented(
      '9.2-4',
      'An earlier notice named 12 January 2026; the later day is in effect.',
      'VERSIONS[pin-needs-own-permission].announced | COMMANDS.GET_PLATFORM_CHANGES.handledBy | protocol/src/versions.ts',
    ),
    implemented(
      '9.2-5',
      '23 February 2026: BYPASS_SLOWMODE (1 << 52) is required to bypass slowmode.',
      'VERSIONS[slowmode-needs-own-permission] | PERMISSIONS.BYPASS_SLOWMODE | daemon/sandbox/src/api/slowmode.ts | protocol/src/versions.ts | protocol/src/permissions.ts',
    ),
    implemented(
      '9.2-6',
      'It was part of MANAGE_MESSAGES, MANAGE_CHANNELS and MANAGE_THREADS before, and no longer is.',
      'VERSIONS[slowmode-needs-own-permission] | daemon/sandbox/src/api/slowmode.ts#exempting',
    ),
    implemented(
      '9.2-7',
      '23 February 2026: bots need CREATE_GUILD_EXPRESSIONS (1 << 43) to add emoji, stickers and sounds to a guild.',
      'VERSIONS[creating-needs-own-permissions] | PERMISSIONS.CREATE_GUILD_EXPRESSIONS | ENDPOINTS.CREATE_GUILD_SOUNDBOARD_SOUND.permissions | protocol/src/versions.ts | protocol/src/permissions.ts',
    ),
    implemented(
      '9.2-8',
      '23 February 2026: bots need CREATE_EVENTS (1 << 44) for scheduled events.',
      'VERSIONS[creating-needs-own-permissions] | PERMISSIONS.CREATE_EVENTS | protocol/src/versions.ts | protocol/src/permissions.ts',
    ),
    implemented(
      '9.2-9',
      '1 March 2026: calls are end-to-end encrypted only, in direct and group messages, voice channels and streams.',
      'VERSIONS[calls-end-to-end-encrypted] | COMMANDS.CHECK_VOICE_CONNECTION.args.end_to_end_encrypted | protocol/src/voice-protocol.ts | protocol/src/versions.ts',
    ),
    implemented(
      '9.2-10',
      '10 July 2026: connections of provider A are removed.',
      'VERSIONS[provider-a-connections-removed] | protocol/src/versions.ts | protocol/src/responses/connections.ts',
    ),
    implemented(
      '9.2-11',
      '22 September 2026: connections of provider B are removed.',
      'VERSIONS[provider-b-connections-removed] | protocol/src/versions.ts | protocol/src/responses/connections.ts',
    ),
    implemented(
      '9.2-12',
      '16 November 2026: hidden channels are omitted from GET_GUILD_CHANNELS.',
      'VERSIONS[hidden-channels-omitted] | protocol/src/versions.ts',
    ),
    implemented(
      '9.2-13',
      '18 November 2024: all xsalsa20_poly1305 modes and aead_aes256_gcm are discontinued.',
      'VERSIONS[voice-modes-discontinued] | VOICE_MODES.aead_aes256_gcm.documented | VOICE_MODES.xsalsa20_poly1305.documented | protocol/src/voice-protocol.ts',
    ),
    implemented(
      '9.2-14',
      'aead_aes256_gcm_rtpsize and aead_xchacha20_poly1305_rtpsize are the documented modes.',
      'VOICE_MODES.aead_aes256_gcm_rtpsize.documented | VOICE_MODES.aead_xchacha20_poly1305_rtpsize.documented | protocol/src/voice-protocol.ts',
    ),
    implemented(
      '9.2-15',
      '18 November 2024: versions of the voice gateway below 4 are discontinued, and a version must be passed.',
      'protocol/src/voice-protocol.ts#VOICE_GATEWAY.oldest',
    ),
    implemented(
      '9.2-16',
      'Version 8 of the voice gateway resumes with missed messages.',
      'protocol/src/voice-protocol.ts#VOICE_GATEWAY.bufferedResume',
    ),
    implemented('9.2-17', 'USE_EXTERNAL_APPS is 1 << 50.', 'PERMISSIONS.USE_EXTERNAL_APPS | protocol/src/permissions.ts'),
    implemented(
      '9.2-18',
      'The activity proxy accepts paths with and without /.proxy/, with the same meaning.',
      'protocol/src/activity-urls.ts#PROXY_PREFIX | canonicalActivityPath | daemon/sandbox/src/embedded/mappings.ts#mapPath | daemon/sandbox/src/embedded/proxy-server.ts',
    ),
    implemented(
      '9.2-19',
      'The activity proxy has a host for each application, named by its id.',
      'activityHost | daemon/sandbox/src/embedded/proxy-server.ts#HOST | protocol/src/activity-urls.ts | daemon/sandbox/src/embedded/proxy-server.ts',
    ),
    implemented(
      '9.2-20',
      'Embedded App SDK 2.1 adds URLs of activity texts and images, which are accepted from every game.',
      'ActivityInput.state_url | ActivityInput.details_url | ActivityInput.assets.large_url | ActivityInput.assets.small_url | protocol/src/records/activity.ts',
    ),
    implemented('9.2-21', 'From Embedded App SDK 2.2, mapped URLs have no prefix.', 'protocol/src/activity-urls.ts#PREFIXLESS_SINCE.minor'),
  ],
}
