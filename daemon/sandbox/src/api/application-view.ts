/** The wire form of applications in OAuth responses. */
import type { Application } from '@sallyport/protocol'
import { applicationOf, type Platform } from '../platform.ts'
import { verifyKey } from '../webhooks/signing-key.ts'

export function applicationView(platform: Platform, id: string): Application {
  const { name } = applicationOf(platform, id)
  return {
    id,
    name,
    icon: null,
    description: '',
    rpc_origins: ['http://127.0.0.1', 'http://localhost', 'http://[::1]'],
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: verifyKey(platform.seed, id),
  }
}
