/** The wire form of embeds: with their type, and without the parts that their sender left empty. */
import type { EmbedInput } from '@sallyport/protocol'
import { filledIn, type MediaView } from './media-view.ts'
import { isoTime } from './wire-time.ts'

/** `sent`: an embed of a message; the platform's own embeds have a type already. */
export function embedView(sent: object, media: MediaView): object {
  const { timestamp, author, footer, image, thumbnail, fields, ...rest } = filledIn({ ...sent }) as EmbedInput
  const picture = (one: typeof image) => (one?.url == null ? undefined : { ...one, url: media.address(one.url) })
  const withIcon = <Part extends { icon_url?: string | null | undefined }>(part: Part) =>
    part.icon_url == null ? part : { ...part, icon_url: media.address(part.icon_url) }
  return filledIn({
    type: 'rich',
    ...rest,
    timestamp: timestamp == null ? undefined : isoTime(Date.parse(timestamp)),
    author: author?.name == null ? undefined : withIcon(author),
    footer: footer?.text == null ? undefined : withIcon(footer),
    image: picture(image),
    thumbnail: picture(thumbnail),
    fields: fields?.map(({ name, value, inline }) => ({ name, value, inline: inline ?? false })),
  })
}
