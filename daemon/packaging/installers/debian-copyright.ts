/** The file `copyright` of the Debian package, as machines read it: version 1.0 of Debian's format. */
import { type Notice, NOTICES_FILE, titleOf } from '../notices/notice.ts'
import { HOMEPAGE, MAINTAINER } from './about.ts'

/** Longer texts, which have whole licences of other projects in them, stand in the file of notices. */
const MAX_LINES = 60

/** A text as the value of a field, after its first line. */
const continued = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '' ? ' .' : ` ${line.trimEnd()}`))
    .join('\n')

/** A line that begins with the word or the sign, and then names a person or a project. */
const HOLDER = /^[\s*#/]*(?:copyright|\(c\)|©)(?!\s+(?:notice|holder|owner|licen))[\s:]*(?:\(c\)|©)?\s*(\S.*)$/gim

/** Those who are named as holders of a copyright. */
function holders(text: string): string {
  const found = [...text.matchAll(HOLDER)].map(([, line = '']) => line.trim())
  return found.length === 0 ? 'its authors' : [...new Set(found)].join('\n ')
}

function stanza(notice: Notice): string {
  const isLong = notice.text.trim().split('\n').length > MAX_LINES
  const text = isLong ? `The notices and texts stand in /usr/share/doc/sallyport/${NOTICES_FILE}.gz.` : notice.text
  return `Files: ${notice.files}
Copyright: ${isLong ? 'its authors, as the notices name them' : holders(notice.text)}
License: ${notice.licences.join(' and ')}
${continued(text)}
Comment: In the program: ${titleOf(notice)}.
`
}

/** `licence`: ours. */
export const debianCopyright = (
  licence: string,
  notices: readonly Notice[],
): string => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Sallyport
Upstream-Contact: ${MAINTAINER.name} <${MAINTAINER.address}>
Source: ${HOMEPAGE}

Files: *
Copyright: ${holders(licence)}
License: MIT
${continued(licence)}

${notices.map(stanza).join('\n')}`
