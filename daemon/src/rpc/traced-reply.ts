/** What a trace has of a reply that is no success: enough to answer the same call again. Without the secrets of its request, which a platform may repeat. */
import type { RefusedExchange } from '@sallyport/core/current-call'
import { redacted } from '@sallyport/core/redacted'
import { extractSecrets, isSecretName } from '@sallyport/core/secret-names'
import type { CallTrace } from '@sallyport/protocol'
import { keepable } from './keepable.ts'

type TracedReply = NonNullable<NonNullable<CallTrace['requests']>[number]['reply']>

/** Times on a clock are left out: they mean nothing later. */
const HEADERS = [
  ...(['retry-after', 'x-ratelimit-bucket', 'x-ratelimit-limit', 'x-ratelimit-remaining'] as const),
  ...(['x-ratelimit-reset-after', 'x-ratelimit-scope', 'x-ratelimit-global'] as const),
]

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const secretParameters = (parameters: URLSearchParams): readonly string[] =>
  [...parameters].flatMap(([name, value]) => (isSecretName(name) ? [value] : []))

/** Of an `Authorization` header: the token, or the two parts of `Basic`. */
function credentialsIn(header: string): readonly string[] {
  const [scheme = '', value = ''] = header.split(' ')
  return scheme.toLowerCase() === 'basic' ? [value, ...Buffer.from(value, 'base64').toString().split(':').slice(1)] : [value]
}

const PARAMETER = /^\{(.+)\}$/

/** Values of secret parameters of the path. `shown`: the path with the names of its parameters. */
function secretSegments(url: URL, shown: string | undefined): readonly string[] {
  if (shown === undefined) return []
  const names = shown.split('/')
  const values = url.pathname.split('/').slice(-names.length)
  return names.flatMap((name, index) => (isSecretName(PARAMETER.exec(name)?.[1] ?? '') ? [decodeURIComponent(values[index] ?? '')] : []))
}

/** Each secret that the request carries. */
function secretsOf({ url: address, headers, body, multipart, shownPath }: RefusedExchange['request']): readonly string[] {
  const url = new URL(address)
  const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  return [
    ...(authorization === undefined ? [] : credentialsIn(authorization)),
    ...secretParameters(url.searchParams),
    ...secretSegments(url, shownPath),
    ...extractSecrets(parsed(body)),
    ...secretParameters(new URLSearchParams(body)),
    ...extractSecrets(parsed(multipart?.payload)),
    ...Object.entries(multipart?.fields ?? {}).flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
  ]
}

export function tracedReply({ request, reply }: RefusedExchange): TracedReply {
  const body = parsed(reply.body)
  const found = HEADERS.flatMap((name) => {
    const value = [reply.headers[name]].flat()[0]
    return value === undefined ? [] : [[name, value] as const]
  })
  // The list is read as secrets, and what repeats one of them is removed with it.
  const { headers, shown } = redacted({ tokens: secretsOf(request), headers: Object.fromEntries(found), shown: body }) as {
    readonly headers: TracedReply['headers']
    readonly shown: unknown
  }
  const kept = keepable(shown)
  return { headers, ...(kept === undefined ? {} : { body: kept.value }) }
}
