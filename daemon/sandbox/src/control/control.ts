/** The control interface under /sandbox: faults, revocation, bans, limits, and the state report. For tests of developers, never for games. */
import type * as z from 'zod'
import { formErrors, PARSE_OPTIONS } from '../api/form-errors.ts'
import { isoTime } from '../api/wire-time.ts'
import { acceptInvite } from '../api/invite-lifecycle.ts'
import { stepSubscription } from '../api/subscription-lifecycle.ts'
import { subscriptionView } from '../api/subscriptions.ts'
import { FAULTS_MAX } from '../constants.ts'
import { type RouteHandler, type Call, reply } from '../http/exchange.ts'
import { jsonBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import type { Route } from '../http/router.ts'
import { banUser, unbanUser } from '../oauth/ban-user.ts'
import { setOidcProvider } from '../oauth/oidc-provider.ts'
import { authorizationOfToken, revokeAll } from '../oauth/sign-ins.ts'
import { PlatformError } from '../platform-error.ts'
import { applicationOf, findUser, type Platform, rememberApplication } from '../platform.ts'
import type { StoredApplication, StoredAuthorization } from '../store/records.ts'
import type { ControlContext } from './control-context.ts'
import {
  ApplicationInput,
  BanInput,
  DeauthorizeInput,
  FAULTS_FULL,
  FaultInput,
  GuildInput,
  LimitInput,
  OidcInput,
  RevokeInput,
  TimeInput,
  AcceptInviteInput,
  UserInput,
} from './schemas.ts'
import { InteractionInput, raiseInteraction } from './interactions.ts'
import { join, JoinInput } from './join.ts'
import { applyGatewayAction, GatewayInput } from './gateway.ts'
import { EventInput, sendEvents } from './events.ts'
import { changeLobbyMessage, LobbyMessageInput } from './lobby-messages.ts'
import { PresenceInput, showPresence } from './presences.ts'
import { changeRole, RoleInput } from './roles.ts'
import { undoControls } from './reset.ts'
import { stateReport } from './state.ts'
import { changePerson, PersonInput } from './users.ts'
import { enrollInQuest, QuestInput, sendWebhooks, WebhookInput } from './webhooks.ts'
import {
  changeChannel,
  ChannelInput,
  changeMember,
  MemberInput,
  MessageInput,
  setRelationship,
  RelationshipInput,
  SubscriptionInput,
  writeMessage,
} from './world.ts'

/** The body of a control request. Throws invalidForm. */
export function parsed<S extends z.ZodType>(schema: S, { request }: Call): z.output<S> {
  const result = schema.safeParse(jsonBody(request) ?? {}, PARSE_OPTIONS)
  if (result.success) return result.data
  throw new PlatformError('invalidForm', { errors: formErrors(result.error.issues, undefined) })
}

export function controlRoutes(controlled: ControlContext): Route[] {
  const { platform, gateway, journal, faults, limits } = controlled
  const route = (method: string, path: string, answer: RouteHandler): Route => ({
    method,
    path,
    handle: (call) => {
      checkOrigin(call.request.headers, controlled.port())
      return journal.record(() => answer(call))
    },
  })
  return [
    route('POST', '/sandbox/faults', (call) => {
      const { latency_ms, ...input } = parsed(FaultInput(), call)
      if (faults.waiting.length >= FAULTS_MAX) throw new PlatformError('invalidForm', { message: FAULTS_FULL })
      faults.add({ ...input, latencyMs: latency_ms })
      return reply.json(201, { waiting: faults.waiting.length })
    }),
    route('DELETE', '/sandbox/faults', () => {
      faults.clear()
      return reply.empty()
    }),
    route('POST', '/sandbox/limits', (call) => {
      const input = parsed(LimitInput(), call)
      if ('table' in input) limits.useTable(input.table)
      else {
        const { window_ms: windowMs, ...rule } = input
        limits.set({ ...rule, windowMs })
      }
      return reply.json(201, { rules: limits.rules.length })
    }),
    route('DELETE', '/sandbox/limits', () => {
      limits.clear()
      return reply.empty()
    }),
    route('POST', '/sandbox/time', (call) => {
      controlled.clock.move(parsed(TimeInput(), call).advance_ms)
      return reply.json(200, { now: isoTime(controlled.clock.now()), moved_ms: controlled.clock.movedMs })
    }),
    route('DELETE', '/sandbox/findings', () => {
      platform.strictness.forget()
      return reply.empty()
    }),
    route('POST', '/sandbox/revoke', (call) => reply.json(200, { revoked: revoke(platform, parsed(RevokeInput(), call)) })),
    route('POST', '/sandbox/ban', (call) => {
      const { user, seconds } = parsed(BanInput(), call)
      return reply.json(200, { ended: banUser(platform, userOf(platform, user), seconds) })
    }),
    route('POST', '/sandbox/unban', (call) => {
      unbanUser(platform, userOf(platform, parsed(UserInput(), call).user))
      return reply.empty()
    }),
    route('POST', '/sandbox/deauthorize', (call) => {
      const { user, application_id } = parsed(DeauthorizeInput(), call)
      return reply.json(200, { ended: revokeAll(platform, application_id, userOf(platform, user)) })
    }),
    route('POST', '/sandbox/applications', (call) => {
      changeApplication(platform, parsed(ApplicationInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/guilds', (call) => {
      changeGuild(platform, parsed(GuildInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/invites', (call) => {
      const { user, code } = parsed(AcceptInviteInput(), call)
      return reply.json(200, acceptInvite(platform, code, userOf(platform, user)))
    }),
    route('POST', '/sandbox/interactions', (call) =>
      reply.json(201, raiseInteraction(platform, gateway, parsed(InteractionInput(), call))),
    ),
    route('POST', '/sandbox/join', (call) => reply.json(201, join(platform, parsed(JoinInput(), call)))),
    route('POST', '/sandbox/webhooks', async (call) =>
      reply.json(200, { statuses: await sendWebhooks(platform, parsed(WebhookInput(), call)) }),
    ),
    route('POST', '/sandbox/quests', (call) => {
      enrollInQuest(platform, parsed(QuestInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/oidc', (call) => {
      const { application_id: applicationId, ...settings } = parsed(OidcInput(), call)
      setOidcProvider(platform, { applicationId, ...settings })
      return reply.empty()
    }),
    route('POST', '/sandbox/gateway', (call) =>
      reply.json(200, { hit: applyGatewayAction(platform, gateway, parsed(GatewayInput(), call)) }),
    ),
    route('POST', '/sandbox/channels', (call) => reply.json(200, changeChannel(platform, parsed(ChannelInput(), call)))),
    route('POST', '/sandbox/members', (call) => {
      changeMember(platform, parsed(MemberInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/roles', (call) => reply.json(200, changeRole(platform, parsed(RoleInput(), call)))),
    route('POST', '/sandbox/messages', (call) => reply.json(201, writeMessage(platform, parsed(MessageInput(), call)))),
    route('POST', '/sandbox/lobby-messages', (call) => {
      changeLobbyMessage(platform, parsed(LobbyMessageInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/relationships', (call) => {
      setRelationship(platform, parsed(RelationshipInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/presences', (call) => {
      showPresence(platform, parsed(PresenceInput(), call))
      return reply.empty()
    }),
    route('POST', '/sandbox/subscriptions', (call) => {
      const { application_id: applicationId, user, step, renewal_sku_ids: renewalSkuIds } = parsed(SubscriptionInput(), call)
      return reply.json(
        200,
        subscriptionView(stepSubscription(platform, { applicationId, userId: userOf(platform, user), step, renewalSkuIds })),
      )
    }),
    route('POST', '/sandbox/users', (call) => reply.json(200, changePerson(platform, parsed(PersonInput(), call)))),
    route('POST', '/sandbox/events', (call) => reply.json(200, { events: sendEvents(platform, gateway, parsed(EventInput(), call)) })),
    // It is not one of the changes that it undoes.
    {
      method: 'POST',
      path: '/sandbox/reset',
      handle: ({ request }) => {
        checkOrigin(request.headers, controlled.port())
        return reply.json(200, undoControls(controlled))
      },
    },
    route('GET', '/sandbox/state', () => reply.json(200, stateReport(controlled))),
  ]
}

/** Throws invalidForm for an application that would be its own parent. */
function changeApplication(
  platform: Platform,
  { application_id: id, parent_application_id: parent, ...input }: z.output<ReturnType<typeof ApplicationInput>>,
): void {
  if (parent === id) throw new PlatformError('invalidForm', { message: 'An application cannot be its own parent.' })
  const { parentId, redirectUris, ...before } = applicationOf(platform, id)
  const redirects = input.redirect_uris === undefined ? redirectUris : (input.redirect_uris ?? undefined)
  const kept = parent === undefined ? parentId : (parent ?? undefined)
  const application: StoredApplication = {
    ...before,
    ...(kept === undefined ? {} : { parentId: kept }),
    ...(input.confidential === undefined ? {} : { isConfidential: input.confidential }),
    ...(input.private_channel_obfuscation === undefined ? {} : { obfuscatesPrivateChannels: input.private_channel_obfuscation }),
    ...(input.verified === undefined ? {} : { isVerified: input.verified }),
    ...(input.approved_intents === undefined ? {} : { approvedIntents: { names: input.approved_intents, at: platform.clock.now() } }),
    ...(input.user_count === undefined ? {} : { userCount: input.user_count }),
    ...(input.approved === undefined ? {} : { isApproved: input.approved }),
    ...(input.approved_scopes === undefined ? {} : { approvedScopes: input.approved_scopes }),
    ...(input.testers === undefined ? {} : { testerIds: input.testers.map((name) => userOf(platform, name)) }),
    ...(redirects === undefined ? {} : { redirectUris: redirects }),
    ...(input.premium === undefined ? {} : { mayReadPremium: input.premium }),
    ...(input.social_sdk_terms === undefined ? {} : { acceptedTerms: input.social_sdk_terms }),
    ...(input.publisher_linking === undefined ? {} : { mayLinkPublisher: input.publisher_linking }),
  }
  platform.store.commit([...rememberApplication(platform, id), platform.store.applications.put(id, application)])
}

function changeGuild({ store }: Platform, { guild, name, online_count: onlineCount }: z.output<ReturnType<typeof GuildInput>>): void {
  const known = store.guilds.get(guild) ?? store.guilds.all().find((one) => one.name === guild)
  if (known === undefined) throw new PlatformError('unknownGuild')
  const changed = { ...known, ...(name === undefined ? {} : { name }), ...(onlineCount === undefined ? {} : { onlineCount }) }
  store.commit([store.guilds.put(known.id, changed)])
}

/** The id of a user by id or username. */
function userOf(platform: Platform, name: string): string {
  const user = findUser(platform, name)
  if (user === undefined) throw new PlatformError('unknownUser')
  return user.id
}

/** Ends the matching sign-ins and returns their number. */
function revoke(platform: Platform, { user_id, application_id, token }: z.output<ReturnType<typeof RevokeInput>>): number {
  const ofToken = token === undefined ? undefined : authorizationOfToken(platform, token)
  const matches = (one: StoredAuthorization): boolean =>
    (user_id ?? one.userId) === one.userId &&
    (application_id ?? one.applicationId) === one.applicationId &&
    (token === undefined || (ofToken?.userId === one.userId && ofToken.applicationId === one.applicationId))
  const pairs = new Map(
    platform.store.authorizations
      .all()
      .filter(matches)
      .map((one) => [`${one.applicationId}:${one.userId}`, one]),
  )
  return [...pairs.values()].reduce((sum, { applicationId, userId }) => sum + revokeAll(platform, applicationId, userId), 0)
}
