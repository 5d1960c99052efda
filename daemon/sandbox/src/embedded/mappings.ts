/** URL mappings of an application: which paths of its activity lead to which server of this machine. Pure. */
import { type ActivityMapping, findActivityMapping } from '@sallyport/protocol'
import * as z from 'zod'
import { once } from '@sallyport/core/once'
import { MAPPINGS_MAX } from '../constants.ts'

/** Path of the page that runs the activity; the proxy serves it itself. */
export const ACTIVITY_PAGE_PATH = '/.activity'

const Prefix = once(() =>
  z
    .string()
    .max(256)
    .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must be a path such as /api; patterns in braces are not supported')
    .refine((path) => !/^\/\.(?:proxy|activity)(?:\/|$)/.test(path), `must not begin with /.proxy or ${ACTIVITY_PAGE_PATH}`),
)

/** Only this machine, so that the sandbox is no open proxy. Without a scheme, as on the platform. */
const Target = once(() =>
  z
    .string()
    .max(1024)
    .regex(
      /^(?:127\.0\.0\.1|localhost|\[::1\]):[1-9][0-9]{0,4}(?:\/[^\s?#\\]*)?$/,
      'must be a server of this machine with its port and without a scheme, such as 127.0.0.1:3000 or localhost:3000/api',
    )
    .refine((target) => URL.canParse(`http://${target}`), 'must have a port up to 65535'),
)

/** In the order in which they are tried. */
export const Mappings = once(() => z.array(z.strictObject({ prefix: Prefix(), target: Target() })).max(MAPPINGS_MAX))

type MappedPath = { readonly url: URL } | { readonly problem: 'not-a-path' | 'unmapped' }

/** Maps the path and query of a request. Dots in the path are resolved first, so that it cannot leave the mapping's target. */
export function mapPath(requestTarget: string, mappings: readonly ActivityMapping[]): MappedPath {
  if (!requestTarget.startsWith('/') || !URL.canParse(`http://proxy${requestTarget}`)) return { problem: 'not-a-path' }
  const { pathname, search } = new URL(`http://proxy${requestTarget}`)
  const found = findActivityMapping(pathname, mappings)
  if (found === undefined) return { problem: 'unmapped' }
  const { mapping, rest } = found
  const url = new URL(`http://${mapping.target}`)
  // Set part by part: a path that begins with two slashes must not become a host.
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${rest}`
  url.search = search
  return { url }
}

/** Lines of `PREFIX TARGET`, as a person writes them. */
export const mappingsOfText = (text: string): { prefix: string; target: string }[] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([prefix]) => prefix !== undefined && prefix !== '')
    .map(([prefix = '', target = '']) => ({ prefix, target }))
