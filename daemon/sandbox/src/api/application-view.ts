/** The wire form of applications, as every user sees them. */
import type { CurrentApplication } from '@sallyport/protocol'
import { flagsOf } from './application-flags.ts'
import { applicationOf, type Platform } from '../platform.ts'
import { verifyKey } from '../webhooks/signing-key.ts'

export function applicationView(platform: Platform, id: string): CurrentApplication {
  const { name } = applicationOf(platform, id)
  const flags = flagsOf(platform, id)
  return {
    id,
    name,
    icon: null,
    description: '',
    rpc_origins: ['http://127.0.0.1', 'http://localhost', 'http://[::1]'],
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: verifyKey(platform.seed, id),
    type: null,
    flags,
    flags_new: flags.toString(),
  }
}
