/** Reads and changes Markdown as text: headings with their anchors, and the targets of links. Pure. */

const blank = (text: string): string => text.replace(/[^\n]/g, ' ')

/** The text with code blocks blanked out. Positions and lines stay. */
export const withoutBlocks = (text: string): string => text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, blank)

/** The same with code in backticks blanked out too. */
export const withoutCode = (text: string): string => withoutBlocks(text).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, blank)

export interface Heading {
  /** 1 to 6. */
  readonly level: number
  /** Without the marks of links and code. */
  readonly text: string
  readonly anchor: string
}

/** The headings with their anchors, as GitHub makes them: a repeated one gets a number. */
export function headingsOf(text: string): readonly Heading[] {
  const anchors = new Set<string>()
  return [...withoutBlocks(text).matchAll(/^(#{1,6}) +(.+?)(?: +#+)? *$/gm)].map(([, marks = '', heading = '']) => {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\s-]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
    return { level: marks.length, text: plain.replace(/[`*]/g, ''), anchor }
  })
}

/** The first heading of the first level; undefined without one. */
export const titleOf = (text: string): string | undefined => headingsOf(text).find(({ level }) => level === 1)?.text

/** The first paragraph of prose, on one line; empty without one. */
export function summaryOf(text: string): string {
  const paragraphs = withoutBlocks(text)
    .replace(/<!--[\s\S]*?-->/g, '')
    .split(/\n\s*\n/)
  const prose = paragraphs.map((paragraph) => paragraph.trim()).find((paragraph) => /^[\p{L}`[*]/u.test(paragraph)) ?? ''
  return prose.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ')
}

const TARGET = /\]\(([^)\s]+)\)/g

/** The targets of links and pictures outside of code, with their positions. The text of a link may be wrapped. */
export const targetsOf = (text: string): readonly { readonly at: number; readonly target: string }[] =>
  [...withoutCode(text).matchAll(TARGET)].map((match) => ({ at: match.index + ']('.length, target: match[1] ?? '' }))

/** The text with each target replaced. */
export function withTargets(text: string, to: (target: string) => string): string {
  let done = ''
  let from = 0
  for (const { at, target } of targetsOf(text)) {
    done += text.slice(from, at) + to(target)
    from = at + target.length
  }
  return done + text.slice(from)
}

export const isExternal = (target: string): boolean => /^[a-z][a-z+.-]*:/i.test(target)
