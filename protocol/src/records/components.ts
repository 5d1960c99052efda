/** Components of a sent message: buttons, selects, and the layout components of components v2. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { ATTACHMENT_URL, MEDIA_URL, Snowflake, text, wholeNumber } from '../schema/index.ts'

/** Types of components. */
export const COMPONENT_TYPES = {
  actionRow: 1,
  button: 2,
  stringSelect: 3,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  textDisplay: 10,
  thumbnail: 11,
  mediaGallery: 12,
  file: 13,
  separator: 14,
  container: 17,
} as const

const component = <const Type extends number, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), id: wholeNumber(0, 0x7fffffff).nullish(), ...shape })

const CustomId = once(() => text(1, LIMITS.componentCustomId.value))
const Emoji = once(() => z.strictObject({ id: Snowflake().nullish(), name: z.string().max(LIMITS.emojiName.value) }))
const Media = once(() =>
  z.strictObject({
    url: z
      .string()
      .max(LIMITS.embedUrl.value)
      .regex(MEDIA_URL, 'must be an http or https URL, or attachment:// and the name of a file of the message'),
  }),
)
const SentFile = once(() =>
  z.strictObject({
    url: z.string().max(LIMITS.embedUrl.value).regex(ATTACHMENT_URL, 'must be attachment:// and the name of a file of the message'),
  }),
)
/** The platform's own scheme opens pages in its client. */
const BUTTON_URL = /^(?:[hH][tT][tT][pP][sS]?|discord):\/\/[^\s]+$/
const MediaText = once(() => text(1, LIMITS.attachmentText.value).nullish())

const Button = once(() =>
  component(COMPONENT_TYPES.button, {
    style: wholeNumber(1, 6).meta({ description: '5 opens url; 6 (premium) sells sku_id.' }),
    custom_id: CustomId().nullish(),
    label: z.string().max(LIMITS.buttonLabel.value).nullish(),
    emoji: Emoji().nullish(),
    url: z.string().max(LIMITS.buttonUrl.value).regex(BUTTON_URL, 'must be an http or https URL').nullish(),
    sku_id: Snowflake().nullish(),
    disabled: z.boolean().nullish(),
  }),
)

const SELECT = once(() => ({
  custom_id: CustomId(),
  placeholder: z.string().max(LIMITS.selectPlaceholder.value).nullish(),
  min_values: wholeNumber(0, LIMITS.selectValues.value).nullish(),
  max_values: wholeNumber(1, LIMITS.selectValues.value).nullish(),
  disabled: z.boolean().nullish(),
}))

const SelectOption = once(() =>
  z.strictObject({
    label: text(1, LIMITS.componentCustomId.value),
    value: text(1, LIMITS.componentCustomId.value),
    description: z.string().max(LIMITS.componentCustomId.value).nullish(),
    emoji: Emoji().nullish(),
    default: z.boolean().nullish(),
  }),
)

const defaults = (...kinds: readonly ['user' | 'role' | 'channel', ...('user' | 'role' | 'channel')[]]) => ({
  default_values: z
    .array(z.strictObject({ id: Snowflake(), type: z.enum(kinds) }))
    .max(LIMITS.selectValues.value)
    .nullish(),
})

const InRow = once(() =>
  z.discriminatedUnion('type', [
    Button(),
    component(COMPONENT_TYPES.stringSelect, { ...SELECT(), options: z.array(SelectOption()).min(1).max(LIMITS.selectValues.value) }),
    component(COMPONENT_TYPES.userSelect, { ...SELECT(), ...defaults('user') }),
    component(COMPONENT_TYPES.roleSelect, { ...SELECT(), ...defaults('role') }),
    component(COMPONENT_TYPES.mentionableSelect, { ...SELECT(), ...defaults('user', 'role') }),
    component(COMPONENT_TYPES.channelSelect, { ...SELECT(), ...defaults('channel'), channel_types: z.array(z.number().int()).nullish() }),
  ]),
)

const TextDisplay = once(() => component(COMPONENT_TYPES.textDisplay, { content: text(1, LIMITS.textDisplay.value) }))
const Thumbnail = once(() =>
  component(COMPONENT_TYPES.thumbnail, { media: Media(), description: MediaText(), spoiler: z.boolean().nullish() }),
)

/** Components allowed at the top level of a message or in a container. */
const PARTS = once(
  () =>
    [
      component(COMPONENT_TYPES.actionRow, { components: z.array(InRow()).min(1).max(LIMITS.actionRowComponents.value) }),
      component(COMPONENT_TYPES.section, {
        components: z.array(TextDisplay()).min(1).max(LIMITS.sectionTexts.value),
        accessory: z.discriminatedUnion('type', [Button(), Thumbnail()]),
      }),
      TextDisplay(),
      component(COMPONENT_TYPES.mediaGallery, {
        items: z
          .array(z.strictObject({ media: Media(), description: MediaText(), spoiler: z.boolean().nullish() }))
          .min(1)
          .max(LIMITS.galleryItems.value),
      }),
      component(COMPONENT_TYPES.file, { file: SentFile(), spoiler: z.boolean().nullish() }),
      component(COMPONENT_TYPES.separator, { divider: z.boolean().nullish(), spacing: wholeNumber(1, 2).nullish() }),
    ] as const,
)

export const ComponentInput = once(() =>
  z
    .discriminatedUnion('type', [
      ...PARTS(),
      component(COMPONENT_TYPES.container, {
        components: z.array(z.discriminatedUnion('type', [...PARTS()])).min(1),
        accent_color: wholeNumber(0, 0xffffff).nullish(),
        spoiler: z.boolean().nullish(),
      }),
    ])
    .meta({ id: 'ComponentInput', description: 'A top-level component of a message.' }),
)
export type ComponentInput = z.output<ReturnType<typeof ComponentInput>>

/** Counts all components of a message, including nested ones. */
export const componentCount = (components: readonly object[]): number =>
  components.reduce((sum, one) => {
    const { components: inner = [], accessory } = one as { components?: readonly object[]; accessory?: object }
    return sum + 1 + componentCount(inner) + (accessory === undefined ? 0 : 1)
  }, 0)
