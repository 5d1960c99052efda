/** Finds the route of a request. API paths have an optional supported version; other paths are matched as they are. */
import { PlatformError } from '../platform-error.ts'
import type { RouteHandler } from './exchange.ts'

export interface Route {
  readonly method: string
  /** Template such as `/lobbies/{lobby_id}/messages`. */
  readonly path: string
  /** The path parameter that separates rate-limit buckets. */
  readonly majorParameter?: string
  readonly handle: RouteHandler
}

export interface RouteMatch {
  readonly route: Route
  readonly params: Readonly<Record<string, string>>
}

const SUPPORTED_VERSIONS: ReadonlySet<string> = new Set(['9', '10'])

/** The part of an API path below `/api` and its version; undefined for other paths. Throws for an unsupported version. */
export function apiPath(path: string): string | undefined {
  const match = /^\/api(?:\/v([^/]*))?(\/.*|$)/.exec(path)
  if (match === null) return undefined
  const [, version, rest] = match
  if (version !== undefined && /^[0-9]+$/.test(version)) {
    if (!SUPPORTED_VERSIONS.has(version)) throw new PlatformError('invalidVersion')
    return rest ?? ''
  }
  return path.slice('/api'.length)
}

const parameterOf = (segment: string): string | undefined => /^\{(.+)\}$/.exec(segment)?.[1]

/** Matches a path with a template. Returns the parameter values, or undefined. */
export function matchTemplate(template: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (template.length !== path.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of template.entries()) {
    const given = path[index] ?? ''
    const name = parameterOf(segment)
    if (name === undefined) {
      if (segment !== given) return undefined
    } else {
      if (given === '') return undefined
      params[name] = decoded(given)
    }
  }
  return params
}

/** A segment with an invalid escape sequence stays as it is, and the schema refuses it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export class Router {
  readonly #routes: readonly { readonly route: Route; readonly template: readonly string[] }[]

  constructor(routes: readonly Route[]) {
    // Fixed segments come first, so that `/users/@me` does not match a user id.
    const weight = (path: string): number => path.split('/').filter((segment) => parameterOf(segment) !== undefined).length
    this.#routes = routes.toSorted((a, b) => weight(a.path) - weight(b.path)).map((route) => ({ route, template: route.path.split('/') }))
  }

  /** Throws #onNotFound, or methodNotAllowed when only the method is wrong. */
  find(method: string, path: string): RouteMatch {
    const segments = path.split('/')
    let known = false
    for (const { route, template } of this.#routes) {
      const params = matchTemplate(template, segments)
      if (params === undefined) continue
      if (route.method === method) return { route, params }
      known = true
    }
    throw new PlatformError(known ? 'methodNotAllowed' : 'notFound')
  }
}
