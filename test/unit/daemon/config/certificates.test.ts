import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCertificates } from '#daemon/src/config/certificates.ts'

const block = (kind: string) => `-----BEGIN ${kind}-----\nAAAA\n-----END ${kind}-----\n`

describe('readCertificates', () => {
  let folder: string
  const file = (text: string) => {
    const path = join(folder, 'ca.pem')
    writeFileSync(path, text)
    return path
  }
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sp-ca-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('reads each certificate of a bundle, and ignores other text', () => {
    const [first, second] = rootCertificates
    expect(readCertificates(file(`# a comment\n${first}\n\n${second}\n`))).toEqual([first?.trim(), second?.trim()])
  })

  it.each([
    ['nothing', '', /The CA file .*ca\.pem contains no certificate/],
    ['a key', block('PRIVATE KEY'), /contains no certificate/],
    ['an invalid one', `${rootCertificates[0]}\n${block('CERTIFICATE')}`, /Certificate 2 in the CA file/],
  ])('rejects %s', (_, text, sentence) => expect(() => readCertificates(file(text))).toThrow(sentence))

  it('rejects a missing file', () => {
    expect(() => readCertificates(join(folder, 'none.pem'))).toThrow(/cannot be read/)
  })
})
