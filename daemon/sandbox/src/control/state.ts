/** The state of the sandbox as a report: names, ids and counts; never a token, code or secret. */
import { isBanned } from '../oauth/bans.ts'
import { headlessSessions } from '../social/joinable-sessions.ts'
import type { ControlContext } from './control-context.ts'

/** The reply of `GET /sandbox/state`, also shown on the front page. */
export function stateReport({ platform, gateway, clock, faults, limits, requests }: ControlContext) {
  const { store } = platform
  return {
    seed: platform.seed,
    mode: platform.strictness.isStrict ? 'strict' : 'relaxed',
    moved_ms: clock.movedMs,
    users: store.users.all().map(({ id, username, globalName, provisionalFor, restrictedBy }) => ({
      id,
      username,
      global_name: globalName,
      ...(provisionalFor === undefined ? {} : { provisional_for: provisionalFor }),
      ...(restrictedBy === undefined ? {} : { restricted_by: restrictedBy }),
      ...(isBanned(platform, id) ? { banned: true } : {}),
    })),
    guilds: store.guilds.all().map(({ id, name, ownerId, members }) => ({
      id,
      name,
      owner_id: ownerId,
      member_ids: Object.keys(members),
      channels: store.channels
        .group(id)
        .map((channel) => ({ id: channel.id, name: channel.name, type: channel.type, voice_status: channel.voiceStatus })),
    })),
    applications: store.applications.all().map(({ id, name, firstSeenAt, urlMappings }) => ({
      id,
      name,
      first_seen_at: new Date(firstSeenAt).toISOString(),
      ...(urlMappings === undefined ? {} : { url_mappings: urlMappings }),
    })),
    grants: store.authorizations.all().map(({ id, applicationId, userId, scopes, createdAt }) => ({
      id,
      application_id: applicationId,
      user_id: userId,
      scopes,
      created_at: new Date(createdAt).toISOString(),
    })),
    lobbies: store.lobbies.all().map(({ id, applicationId, members, metadata }) => ({
      id,
      application_id: applicationId,
      member_ids: members.map((member) => member.id),
      metadata,
      messages: store.messages.group(id).length,
    })),
    gateway: gateway.report(),
    headless_sessions: headlessSessions(platform).map(({ applicationId, userId, activity, changedAt }) => ({
      application_id: applicationId,
      user_id: userId,
      activity,
      changed_at: new Date(changedAt).toISOString(),
    })),
    counts: {
      users: store.users.size,
      guilds: store.guilds.size,
      channels: store.channels.size,
      applications: store.applications.size,
      grants: store.authorizations.size,
      tokens: store.tokens.size,
      codes: store.codes.size,
      lobbies: store.lobbies.size,
      messages: store.messages.size,
      channel_messages: store.channelMessages.size,
      requests: requests.total,
    },
    findings: platform.strictness.findings().map(({ applicationId, ...finding }) => ({ application_id: applicationId, ...finding })),
    faults: faults.waiting.map(({ match, times, latencyMs, status, drop }) => ({ match, times, latency_ms: latencyMs, status, drop })),
    limits_of_table: limits.hasTable,
    limits: limits.rules.map(({ windowMs, ...rule }) => ({ ...rule, window_ms: windowMs })),
    requests: requests.recent().map(({ at, tookMs, ...rest }) => ({ at: new Date(at).toISOString(), took_ms: tookMs, ...rest })),
  }
}

export type StateReport = ReturnType<typeof stateReport>
