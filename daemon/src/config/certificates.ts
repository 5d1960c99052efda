/** CA certificates that the operator trusts in addition to those of Node. */
import { X509Certificate } from 'node:crypto'
import { readBounded } from './read-bounded.ts'
import { SettingsError } from './settings-error.ts'

const BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** The certificates of a PEM file. Throws SettingsError if it cannot be read, contains none, or contains an invalid one. */
export function readCertificates(file: string): readonly string[] {
  const found = readText(file).match(BLOCK) ?? []
  if (found.length === 0) {
    throw new SettingsError(`The CA file ${file} contains no certificate. It must be in PEM format, with BEGIN CERTIFICATE lines.`)
  }
  for (const [index, block] of found.entries()) {
    if (!isCertificate(block)) throw new SettingsError(`Certificate ${index + 1} in the CA file ${file} is invalid.`)
  }
  return found
}

function readText(file: string): string {
  try {
    return readBounded(file)
  } catch (failure) {
    throw new SettingsError(`The CA file ${file} cannot be read: ${(failure as Error).message}`)
  }
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).fingerprint256 !== ''
  } catch {
    return false
  }
}
