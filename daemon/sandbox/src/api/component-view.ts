/** The wire form of components: an id for each, the defaults of what its sender left out, and media with the addresses of their files. */
import { COMPONENT_TYPES as TYPES } from '@sallyport/protocol'
import { filledIn, type MediaView, type Sent } from './media-view.ts'

const SELECT = { min_values: 1, max_values: 1 }

/** What the platform adds to a component. */
const DEFAULTS: Readonly<Record<number, Sent>> = {
  [TYPES.stringSelect]: SELECT,
  [TYPES.userSelect]: SELECT,
  [TYPES.roleSelect]: SELECT,
  [TYPES.mentionableSelect]: SELECT,
  [TYPES.channelSelect]: SELECT,
  [TYPES.thumbnail]: { description: null, spoiler: false },
  [TYPES.file]: { spoiler: false },
  [TYPES.separator]: { divider: true, spacing: 1 },
  [TYPES.container]: { accent_color: null, spoiler: false },
}
const ITEM = { description: null, spoiler: false }

/** Fields of a component that hold other components or media. */
interface Nested {
  readonly type: number
  readonly id?: number | null
  readonly components?: readonly Sent[]
  readonly accessory?: Sent
  readonly media?: { readonly url: string }
  readonly file?: { readonly url: string }
  readonly items?: readonly (Sent & { readonly media: { readonly url: string } })[]
}

/** The components of a message. Those without an id get the next free number, in their order. */
export function componentsView(components: readonly object[], media: MediaView): object[] {
  const taken = new Set(idsIn(components as readonly Sent[]))
  let last = 0
  const nextId = (): number => {
    last += 1
    while (taken.has(last)) last += 1
    return last
  }
  const view = (sent: Sent): object => {
    const { id, components: inner, accessory, media: picture, file, items } = sent as unknown as Nested
    return {
      ...DEFAULTS[(sent as unknown as Nested).type],
      ...filledIn(sent),
      id: id || nextId(),
      ...(inner === undefined ? {} : { components: inner.map(view) }),
      ...(accessory === undefined ? {} : { accessory: view(accessory) }),
      ...(picture === undefined ? {} : { media: media.unfurled(picture.url) }),
      ...(file === undefined ? {} : { file: media.unfurled(file.url), ...media.nameAndSize(file.url) }),
      ...(items === undefined
        ? {}
        : { items: items.map((item) => ({ ...ITEM, ...filledIn(item), media: media.unfurled(item.media.url) })) }),
    }
  }
  return components.map((one) => view(one as Sent))
}

const idsIn = (components: readonly Sent[]): number[] =>
  components.flatMap((one) => {
    const { id, components: inner = [], accessory } = one as unknown as Nested
    return [...(id ? [id] : []), ...idsIn([...inner, ...(accessory === undefined ? [] : [accessory])])]
  })
