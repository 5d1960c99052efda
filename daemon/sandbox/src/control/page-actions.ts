/** The forms of the front page: the same actions as the control interface, with pages as replies. */
import { LIMITS } from '@sallyport/protocol'
import { PARSE_OPTIONS } from '../api/form-errors.ts'
import { type RouteHandler, type Call, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import type { Route } from '../http/router.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { banUser, unbanUser } from '../oauth/ban-user.ts'
import { revokeAll } from '../oauth/sign-ins.ts'
import { interactionPage, interactionCreatedPage } from '../pages/interaction.ts'
import { joinPage } from '../pages/join.ts'
import { problemPage } from '../pages/layout.ts'
import { PAGE_PATHS } from '../pages/paths.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform } from '../platform.ts'
import type { ControlContext } from './control-context.ts'
import { InteractionInput, raiseInteraction } from './interactions.ts'
import { join, JoinInput } from './join.ts'

type Form = ReadonlyMap<string, string>
type PageContext = Pick<ControlContext, 'platform' | 'gateway' | 'journal' | 'port'>

export function pageRoutes({ platform, gateway, journal, port }: PageContext): Route[] {
  const post = (path: string, act: (form: Form) => SandboxReply): Route => ({
    method: 'POST',
    path,
    handle: ({ request }: Call) => {
      checkOrigin(request.headers, port())
      return journal.record(() => act(formBody(request)))
    },
  })
  /** Redirects to the front page, which shows the result. */
  const onUser = (path: string, act: (userId: string, form: Form) => unknown): Route =>
    post(path, (form) => {
      const user = findUser(platform, form.get('user') ?? '')
      if (user === undefined) return problemPage(404, 'Action failed', 'There is no such user.')
      act(user.id, form)
      return reply.seeOther('/')
    })
  const showInteraction: RouteHandler = () => interactionPage(choices(platform))
  return [
    onUser(PAGE_PATHS.ban, (userId) => banUser(platform, userId, undefined)),
    onUser(PAGE_PATHS.lift, (userId) => unbanUser(platform, userId)),
    onUser(PAGE_PATHS.unlink, (userId, form) => revokeAll(platform, form.get('application_id') ?? '', userId)),
    { method: 'GET', path: PAGE_PATHS.interaction, handle: showInteraction },
    post(PAGE_PATHS.interaction, (form) => submitInteraction(platform, gateway, form)),
    { method: 'GET', path: PAGE_PATHS.join, handle: () => joinPage(choices(platform)) },
    post(PAGE_PATHS.join, (form) => joinAs(platform, form)),
  ]
}

const choices = ({ store }: Platform) => ({
  users: store.users.all(),
  applications: store.applications.all(),
  channels: store.guilds
    .all()
    .flatMap((guild) => store.channels.group(guild.id).map(({ id, name }) => ({ id, name: `${guild.name}: ${name}` }))),
})

function submitInteraction(platform: Platform, gateway: Pick<Gateway, 'publish'>, form: Form): SandboxReply {
  // A developer answers by hand and needs more time.
  const input = { ...Object.fromEntries(form), answer_within_ms: LIMITS.interactionTokenMs.value }
  const given = InteractionInput().safeParse(input, PARSE_OPTIONS)
  if (!given.success) return interactionPage(choices(platform), 'The application id must be a number.')
  try {
    return interactionCreatedPage(raiseInteraction(platform, gateway, given.data))
  } catch (failure) {
    if (failure instanceof PlatformError) return interactionPage(choices(platform), failure.message)
    throw failure
  }
}

const DONE: Readonly<Record<string, string>> = {
  ask: 'The join request was sent.',
  accept: 'The join request was accepted.',
  invite: 'The invite was sent.',
}

function joinAs(platform: Platform, form: Form): SandboxReply {
  const given = JoinInput().safeParse(Object.fromEntries(form), PARSE_OPTIONS)
  const failed = (text: string): SandboxReply => joinPage(choices(platform), { isDone: false, text })
  if (!given.success) return failed('The application id must be a number.')
  try {
    join(platform, given.data)
  } catch (failure) {
    if (failure instanceof PlatformError) return failed(failure.message)
    throw failure
  }
  return joinPage(choices(platform), { isDone: true, text: DONE[given.data.action] ?? '' })
}
