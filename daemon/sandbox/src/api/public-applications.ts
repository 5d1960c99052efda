/** What is public of an application: its name, its icon and its pictures. Each application has generated ones. */
import { createHash } from 'node:crypto'
import { reply, type RouteHandler } from '../http/exchange.ts'
import type { Route } from '../http/router.ts'
import type { Platform } from '../platform.ts'
import { PlatformError } from '../platform-error.ts'
import { applicationView } from './application-view.ts'
import { generatedPicture } from './generated-picture.ts'

/** Names that games may use for the pictures of an activity. */
const ASSET_NAMES = ['large', 'small'] as const
const IMAGE_ASSET = 1

const iconHash = (id: string): string => createHash('md5').update(`icon of ${id}`).digest('hex')
/** Ids of assets are numbers. */
const assetId = (id: string, at: number): string => String(BigInt(id) + BigInt(at) + 1n)

const requireId = (id: string | undefined): string => {
  if (id === undefined || !/^\d{1,20}$/.test(id)) throw new PlatformError('notFound')
  return id
}

const publicApplication =
  (platform: Platform): RouteHandler =>
  ({ params }) => {
    const id = requireId(params['application_id'])
    return reply.json(200, { ...applicationView(platform, id), icon: iconHash(id) })
  }

const assets: RouteHandler = ({ params }) => {
  const id = requireId(params['application_id'])
  return reply.json(
    200,
    ASSET_NAMES.map((name, at) => ({ id: assetId(id, at), type: IMAGE_ASSET, name })),
  )
}

const picture: RouteHandler = ({ params }) => ({
  status: 200,
  headers: { 'content-type': 'image/png', 'cache-control': 'no-store' },
  body: generatedPicture(`${requireId(params['owner_id'])} ${params['picture'] ?? ''}`),
})

/** Of users without a picture of their own. */
const defaultAvatar: RouteHandler = ({ params, request }) => picture({ params: { ...params, owner_id: '0' }, request })

/** Below the API base. */
export const publicApplicationRoutes = (platform: Platform): Route[] => [
  { method: 'GET', path: '/applications/{application_id}/rpc', handle: publicApplication(platform) },
  { method: 'GET', path: '/oauth2/applications/{application_id}/assets', handle: assets },
]

/** As on the host for images of a platform. */
export const pictureRoutes: readonly Route[] = [
  { method: 'GET', path: '/app-icons/{owner_id}/{picture}', handle: picture },
  { method: 'GET', path: '/app-assets/{owner_id}/{picture}', handle: picture },
  { method: 'GET', path: '/avatars/{owner_id}/{picture}', handle: picture },
  { method: 'GET', path: '/embed/avatars/{picture}', handle: defaultAvatar },
]
