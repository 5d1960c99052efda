/** The page of all controls: a form for each request of the control interface. */
import { type Call, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import { type Route, Router } from '../http/router.ts'
import { controlsPage } from '../pages/controls.ts'
import { PAGE_PATHS } from '../pages/paths.ts'
import { PlatformError } from '../platform-error.ts'
import { CONTROLS } from './controls.ts'

/** `routes`: those of the control interface. */
export function controlPageRoutes(routes: readonly Route[], port: () => number): Route[] {
  const router = new Router(routes)
  return [
    { method: 'GET', path: PAGE_PATHS.controls, handle: () => controlsPage(CONTROLS) },
    {
      method: 'POST',
      path: PAGE_PATHS.controls,
      handle: async (call) => {
        checkOrigin(call.request.headers, port())
        const form = formBody(call.request)
        const [method = '', path = ''] = (form.get('control') ?? '').split(' ')
        const answer = await answerOf(router, method, path, asJson(call, method, path, form.get('body') ?? ''))
        return controlsPage(CONTROLS, { control: `${method} ${path}`, answer })
      },
    },
  ]
}

const asJson = ({ request }: Call, method: string, path: string, body: string): Call => ({
  request: { ...request, method, path, headers: { ...request.headers, 'content-type': 'application/json' }, body: Buffer.from(body) },
  params: {},
})

async function answerOf(router: Router, method: string, path: string, call: Call): Promise<SandboxReply> {
  try {
    // Other routes have parameters or pages, and are no controls.
    if (!CONTROLS.some((one) => one.method === method && one.path === path)) throw new PlatformError('notFound')
    return await router.find(method, path).route.handle(call)
  } catch (failure) {
    if (failure instanceof PlatformError)
      return reply.json(failure.status, { message: failure.message, code: failure.code, errors: failure.errors })
    throw failure
  }
}
