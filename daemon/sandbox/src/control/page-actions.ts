/** What the forms of the front page do: the same as the control interface, answered with pages. */
import { LIMITS } from '@sallyport/protocol'
import { REPORTED } from '../api/form-errors.ts'
import { type Answer, type Call, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import type { Route } from '../http/router.ts'
import { ban, lift } from '../oauth/ban-user.ts'
import { revokeAll } from '../oauth/sign-ins.ts'
import { interactionPage, raisedPage } from '../pages/interaction.ts'
import { joinPage } from '../pages/join.ts'
import { problemPage } from '../pages/layout.ts'
import { PAGE_PATHS } from '../pages/paths.ts'
import { PlatformError } from '../platform-error.ts'
import { findUser, type Platform } from '../platform.ts'
import { InteractionInput, raiseInteraction } from './interactions.ts'
import { join, JoinInput } from './join.ts'

type Form = ReadonlyMap<string, string>

export function pageRoutes(platform: Platform, port: () => number): Route[] {
  const post = (path: string, act: (form: Form) => SandboxReply): Route => ({
    method: 'POST',
    path,
    answer: ({ request }: Call) => {
      checkOrigin(request.headers, port())
      return act(formBody(request))
    },
  })
  /** Back to the front page, which shows what became of it. */
  const onUser = (path: string, act: (userId: string, form: Form) => unknown): Route =>
    post(path, (form) => {
      const user = findUser(platform, form.get('user') ?? '')
      if (user === undefined) return problemPage(404, 'Nothing was done', 'There is no such user.')
      act(user.id, form)
      return reply.seeOther('/')
    })
  const showInteraction: Answer = () => interactionPage(choices(platform))
  return [
    onUser(PAGE_PATHS.ban, (userId) => ban(platform, userId, undefined)),
    onUser(PAGE_PATHS.lift, (userId) => lift(platform, userId)),
    onUser(PAGE_PATHS.unlink, (userId, form) => revokeAll(platform, form.get('application_id') ?? '', userId)),
    { method: 'GET', path: PAGE_PATHS.interaction, answer: showInteraction },
    post(PAGE_PATHS.interaction, (form) => raise(platform, form)),
    { method: 'GET', path: PAGE_PATHS.join, answer: () => joinPage(choices(platform)) },
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

function raise(platform: Platform, form: Form): SandboxReply {
  // A person answers by hand.
  const input = { ...Object.fromEntries(form), answer_within_ms: LIMITS.interactionTokenMs.value }
  const given = InteractionInput.safeParse(input, REPORTED)
  if (!given.success) return interactionPage(choices(platform), 'The application is named by its id, which has digits only.')
  try {
    return raisedPage(raiseInteraction(platform, given.data))
  } catch (failure) {
    if (failure instanceof PlatformError) return interactionPage(choices(platform), failure.message)
    throw failure
  }
}

const DONE: Readonly<Record<string, string>> = {
  ask: 'The other user was asked.',
  accept: 'They may join.',
  invite: 'The other user was invited.',
}

function joinAs(platform: Platform, form: Form): SandboxReply {
  const given = JoinInput.safeParse(Object.fromEntries(form), REPORTED)
  const failed = (text: string): SandboxReply => joinPage(choices(platform), { isDone: false, text })
  if (!given.success) return failed('The application is named by its id, which has digits only.')
  try {
    join(platform, given.data)
  } catch (failure) {
    if (failure instanceof PlatformError) return failed(failure.message)
    throw failure
  }
  return joinPage(choices(platform), { isDone: true, text: DONE[given.data.action] ?? '' })
}
