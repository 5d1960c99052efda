import { expect, test } from 'vitest'
import { clearSecrets } from '#daemon/src/cli/own-secrets.ts'

test('deletes secret settings and proxies with credentials, and nothing else', () => {
  const kept = { SALLYPORT_PLATFORM: 'sandbox', HTTP_PROXY: 'http://proxy.test:3128', PATH: '/bin' }
  const env: NodeJS.ProcessEnv = {
    ...kept,
    SALLYPORT_BOT_TOKEN: 'token',
    SALLYPORT_PROXY: 'http://me:password@proxy.test',
    https_proxy: 'http://me:password@proxy.test',
    HTTPS_PROXY: 'http://me:password@proxy.test',
    ALL_PROXY: 'http://me:password@proxy.test',
  }
  clearSecrets(env)
  expect(env).toEqual(kept)
})
