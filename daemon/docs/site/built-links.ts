/** Checks the links of the pages as they were made: each leads to a file of the site and an anchor in it, and no part comes from another host. Pure. */
import { posix } from 'node:path'

export interface Checked {
  readonly checked: number
  /** `page: sentence` for each that is wrong. */
  readonly broken: readonly string[]
}

const anchorsIn = (html: string): ReadonlySet<string> => new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))

/** `files`: every path of the site; `textOf` reads one. */
export function checkLinks(files: readonly string[], textOf: (path: string) => string): Checked {
  const there = new Set(files)
  const known = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (path: string): ReadonlySet<string> => {
    const anchors = known.get(path) ?? anchorsIn(textOf(path))
    known.set(path, anchors)
    return anchors
  }
  const broken: string[] = []
  let checked = 0
  for (const page of files.filter((path) => path.endsWith('.html'))) {
    for (const [, tag = '', attribute = '', target = ''] of textOf(page).matchAll(/<(\w+)\b[^>]*?\s(href|src)="([^"]*)"/g)) {
      checked += 1
      if (target.startsWith('data:')) continue
      if (/^(?:[a-z][a-z+.-]*:|\/)/i.test(target)) {
        // A link to elsewhere is followed by the reader alone; a path from the root would leave the folder of the site.
        if (tag !== 'a' || attribute !== 'href' || target.startsWith('/'))
          broken.push(`${page}: ${tag} loads ${target} from outside of the site`)
        continue
      }
      const [file = '', anchor] = decodeURI(target.replaceAll('&amp;', '&')).split('#')
      const place = file === '' ? page : posix.join(posix.dirname(page), file)
      if (!there.has(place)) broken.push(`${page}: no file ${place}`)
      else if (anchor !== undefined && !anchorsOf(place).has(anchor)) broken.push(`${page}: no anchor #${anchor} in ${place}`)
    }
  }
  return { checked, broken }
}
