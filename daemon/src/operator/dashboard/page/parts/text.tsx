/** Texts of games, users and the platform, which never change the text around them. */
import { escapeInvisible } from '@sallyport/core/display-text'

/** Invisible characters and direction marks are escaped, because the user decides by names and paths. */
export const Code = ({ text }: { readonly text: string }) => <code>{escapeInvisible(text)}</code>

const INDENTED = /^( *)(.*)$/gm

/** The same of several lines, which may be indented. */
export const CodeLines = ({ text }: { readonly text: string }) => (
  <code>{text.replaceAll(INDENTED, (_all, indent: string, rest: string) => `${indent}${escapeInvisible(rest)}`)}</code>
)

/** A name within a sentence, isolated so that right-to-left text does not move the words around it. */
export const Name = ({ text }: { readonly text: string }) => <bdi>{escapeInvisible(text)}</bdi>

interface ProgramProps {
  readonly name: string
  readonly text: string
}

/** A program by its name, with what identifies it behind. */
export const Program = ({ name, text }: ProgramProps) => (
  <span class="program">
    <Name text={name} /> <Code text={text} />
  </span>
)

interface LinkProps {
  readonly url: string
  readonly text: string
}

/** A link that opens in a tab of its own; addresses other than HTTP are not linked. */
export const ExternalLink = ({ url, text }: LinkProps) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      <Name text={text} />
    </a>
  ) : (
    <span>
      <Name text={text} />
    </span>
  )

/** How many items the daemon left out. */
export const Rest = ({ count = 0 }: { readonly count: number | undefined }) => (count > 0 ? <p class="rest">And {count} more.</p> : null)
