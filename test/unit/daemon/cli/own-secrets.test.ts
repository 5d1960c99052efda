import { expect, test } from 'vitest'
import { forgetSecrets } from '../../../../daemon/src/cli/own-secrets.ts'

test('takes out the secret settings and proxies with a name, and nothing else', () => {
  const kept = { SALLYPORT_PLATFORM: 'sandbox', HTTP_PROXY: 'http://proxy.test:3128', PATH: '/bin' }
  const env: NodeJS.ProcessEnv = {
    ...kept,
    SALLYPORT_BOT_TOKEN: 'token',
    SALLYPORT_PROXY: 'http://me:password@proxy.test',
    https_proxy: 'http://me:password@proxy.test',
    HTTPS_PROXY: 'http://me:password@proxy.test',
    ALL_PROXY: 'http://me:password@proxy.test',
  }
  forgetSecrets(env)
  expect(env).toEqual(kept)
})
