/** Embeds of a sent message. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { IsoTime, MEDIA_URL, text, WEB_URL, wholeNumber } from '../schema/index.ts'

const Link = once(() => z.string().max(LIMITS.embedUrl.value).regex(WEB_URL, 'must be a URL that begins with http:// or https://'))
const Picture = once(() =>
  z
    .string()
    .max(LIMITS.embedUrl.value)
    .regex(MEDIA_URL, 'must be an http or https URL, or attachment:// and the name of a file of the message'),
)
/** An image or video; a sender passes only its URL. */
const Media = once(() => z.strictObject({ url: Picture().nullish(), description: z.string().max(LIMITS.embedDescription.value).nullish() }))

export const EmbedInput = once(() =>
  z
    .strictObject({
      title: z.string().max(LIMITS.embedTitle.value).nullish(),
      description: z.string().max(LIMITS.embedDescription.value).nullish(),
      url: Link().nullish(),
      timestamp: IsoTime().nullish(),
      color: wholeNumber(0, 0xffffff).nullish(),
      author: z
        .strictObject({ name: z.string().max(LIMITS.embedTitle.value).nullish(), url: Link().nullish(), icon_url: Picture().nullish() })
        .nullish(),
      footer: z.strictObject({ text: z.string().max(LIMITS.embedFooter.value).nullish(), icon_url: Picture().nullish() }).nullish(),
      image: Media().nullish(),
      thumbnail: Media().nullish(),
      fields: z
        .array(
          z.strictObject({
            name: text(1, LIMITS.embedTitle.value),
            value: text(1, LIMITS.embedFieldValue.value),
            inline: z.boolean().nullish(),
          }),
        )
        .max(LIMITS.embedFields.value)
        .nullish(),
    })
    .meta({ id: 'EmbedInput', description: 'An embed of a sent message.' }),
)
export type EmbedInput = z.output<ReturnType<typeof EmbedInput>>

/** Counts the characters that count towards the common limit of all embeds: titles, descriptions, names, values and footers. */
export function embedCharacters({ title, description, author, footer, fields }: EmbedInput): number {
  const texts = [title, description, author?.name, footer?.text, ...(fields ?? []).flatMap(({ name, value }) => [name, value])]
  return texts.reduce((sum, one) => sum + (one?.length ?? 0), 0)
}

/** The embeds of one message; the common limit is in the description, because JSON Schema cannot express it. */
export const EmbedInputs = once(() =>
  z
    .array(EmbedInput())
    .max(LIMITS.messageEmbeds.value)
    .check((context) => {
      const sum = context.value.reduce((total, embed) => total + embedCharacters(embed), 0)
      const most = LIMITS.embedCharacters.value
      if (sum > most)
        context.issues.push({
          code: 'custom',
          message: `have ${sum} characters in total; at most ${most} are allowed`,
          input: context.value,
        })
    })
    .meta({
      description: `At most ${LIMITS.embedCharacters.value} characters in total.`,
      'x-max-total-length': LIMITS.embedCharacters.value,
    }),
)
