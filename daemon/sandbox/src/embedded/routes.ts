/** How a developer sets the URL mappings of an application: a request of the control interface, and a form of the page. */
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { BridgeError } from '@sallyport/core/errors'
import { PARSE_OPTIONS } from '../api/form-errors.ts'
import { parsed } from '../control/control.ts'
import { ApplicationId } from '../control/schemas.ts'
import { type RouteHandler, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import type { Route } from '../http/router.ts'
import { activityFormPage } from '../pages/activity.ts'
import { PAGE_PATHS } from '../pages/paths.ts'
import { PlatformError } from '../platform-error.ts'
import type { Platform } from '../platform.ts'
import type { ActivityProxy } from './activity-proxy.ts'
import { Mappings, mappingsOfText } from './mappings.ts'

const ActivityInput = once(() => z.strictObject({ application_id: ApplicationId(), url_mappings: Mappings() }))

/** The port of the proxy can be in use. */
async function setMappings(proxy: ActivityProxy, { application_id, url_mappings }: z.output<ReturnType<typeof ActivityInput>>) {
  try {
    return await proxy.setMappings(application_id, url_mappings)
  } catch (failure) {
    if (failure instanceof BridgeError) throw new PlatformError('invalidForm', { message: failure.message })
    throw failure
  }
}

export function activityRoutes(platform: Pick<Platform, 'store'>, proxy: ActivityProxy, port: () => number): Route[] {
  const form = (result?: { readonly isDone: boolean; readonly text: string }): SandboxReply =>
    activityFormPage(
      platform.store.applications.all().map(({ id, name, urlMappings }) => ({
        id,
        name,
        mappings: urlMappings ?? [],
        ...(urlMappings === undefined ? {} : { address: proxy.addressOf(id) }),
      })),
      result,
    )
  const post = (path: string, handle: RouteHandler): Route => ({
    method: 'POST',
    path,
    handle: (call) => {
      checkOrigin(call.request.headers, port())
      return handle(call)
    },
  })
  return [
    post('/sandbox/activities', async (call) => {
      const url = await setMappings(proxy, parsed(ActivityInput(), call))
      return url === undefined ? reply.empty() : reply.json(200, { url })
    }),
    { method: 'GET', path: PAGE_PATHS.activity, handle: () => form() },
    post(PAGE_PATHS.activity, async ({ request }) => {
      const fields = formBody(request)
      const input = { application_id: fields.get('application_id') ?? '', url_mappings: mappingsOfText(fields.get('url_mappings') ?? '') }
      const given = ActivityInput().safeParse(input, PARSE_OPTIONS)
      if (!given.success) return form({ isDone: false, text: given.error.issues.map(problemOf).join(' ') })
      try {
        await setMappings(proxy, given.data)
      } catch (failure) {
        if (failure instanceof PlatformError) return form({ isDone: false, text: failure.message })
        throw failure
      }
      return form({ isDone: true, text: 'The URL mappings were set.' })
    }),
  ]
}

const FIELDS: Readonly<Record<string, string>> = { application_id: 'The application id', prefix: 'The prefix', target: 'The target' }

/** An issue of the form as a sentence. */
function problemOf({ path, message }: z.core.$ZodIssue): string {
  const field = FIELDS[String(path.at(-1))] ?? 'The list of mappings'
  const line = typeof path[1] === 'number' ? ` in line ${path[1] + 1}` : ''
  return path[0] === 'application_id' ? 'The application id must be a number.' : `${field}${line} ${message}.`
}
