/** Headers that the proxy passes on. */
import { expect, test } from 'vitest'
import { activityPolicy, requestHeaders, responseHeaders } from '@sallyport/sandbox/embedded/headers'

test('the server gets the headers of the page, and its own host', () => {
  expect(
    requestHeaders(
      {
        host: '42.localhost:5000',
        connection: 'keep-alive, X-Hop',
        'x-hop': 'dropped',
        'keep-alive': 'timeout=5',
        'transfer-encoding': 'chunked',
        'proxy-authorization': 'Basic x',
        'x-forwarded-for': '1.2.3.4',
        'x-real-ip': '1.2.3.4',
        forwarded: 'for=1.2.3.4',
        via: '1.1 other',
        expect: '100-continue',
        authorization: 'Bearer token',
        cookie: 'a=1',
        origin: 'http://42.localhost:5000',
      },
      '127.0.0.1:3000',
    ),
  ).toEqual({ host: '127.0.0.1:3000', authorization: 'Bearer token', cookie: 'a=1', origin: 'http://42.localhost:5000' })
})

test('the browser gets the headers of the server, with the policy of the proxy beside its own', () => {
  const sent = { 'content-type': 'text/html', 'set-cookie': ['a=1', 'b=2'], connection: 'close', 'strict-transport-security': 'max-age=1' }
  expect(responseHeaders(sent, 'P')).toEqual({ 'content-type': 'text/html', 'set-cookie': ['a=1', 'b=2'], 'content-security-policy': 'P' })
  expect(responseHeaders({ 'content-security-policy': "img-src 'none'" }, 'P')).toEqual({
    'content-security-policy': ['P', "img-src 'none'"],
  })
})

test('the policy allows the mapped paths and the API of the platform only', () => {
  const policy = activityPolicy('42.localhost:5000', 'http://127.0.0.1:4000')
  expect(policy).toContain("connect-src 'self' blob: data: ws://42.localhost:5000 http://127.0.0.1:4000/api/;")
  expect(policy).toContain("frame-ancestors 'self'")
  expect(policy).not.toContain('*')
})
