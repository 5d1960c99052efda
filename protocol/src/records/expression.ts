/** Emoji, stickers and soundboard sounds. */
import * as z from 'zod'
import { once } from '../once.ts'
import { Snowflake, tolerant } from '../schema/index.ts'
import { User } from './user.ts'

export const Emoji = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    user: User().optional().meta({ description: 'The user who uploaded it.' }),
    roles: z.array(Snowflake()).optional(),
    require_colons: z.boolean().optional(),
    managed: z.boolean().optional(),
    animated: z.boolean().optional(),
    available: z.boolean().optional(),
  }).meta({ id: 'Emoji', description: 'A custom emoji.' }),
)
export type Emoji = z.output<ReturnType<typeof Emoji>>

export const SoundboardSound = once(() =>
  tolerant({
    sound_id: Snowflake(),
    name: z.string(),
    volume: z.number().meta({ description: '0 to 1' }),
    emoji_id: Snowflake().nullable(),
    emoji_name: z.string().nullable(),
    guild_id: Snowflake().optional(),
    available: z.boolean(),
    user: User().optional().meta({ description: 'The user who uploaded it.' }),
  }).meta({ id: 'SoundboardSound', description: 'A sound that can be played in voice channels.' }),
)
export type SoundboardSound = z.output<ReturnType<typeof SoundboardSound>>

export const Sticker = once(() =>
  tolerant({
    id: Snowflake(),
    name: z.string(),
    tags: z.string(),
    type: z.number().int().meta({ description: '1: of a pack of the platform, 2: of a guild.' }),
    format_type: z.number().int().nullable().meta({ description: '1: PNG, 2: APNG, 3: Lottie, 4: GIF.' }),
    description: z.string().nullable(),
    available: z.boolean().optional(),
    guild_id: Snowflake().optional(),
    pack_id: Snowflake().optional(),
    sort_value: z.number().int().optional(),
    user: User().optional().meta({ description: 'The user who uploaded it.' }),
  }).meta({ id: 'Sticker', description: 'A sticker of a guild or of the platform.' }),
)
export type Sticker = z.output<ReturnType<typeof Sticker>>

export const StickerPack = once(() =>
  tolerant({
    id: Snowflake(),
    sku_id: Snowflake(),
    name: z.string(),
    description: z.string().nullable(),
    stickers: z.array(Sticker()),
    cover_sticker_id: Snowflake().optional(),
    banner_asset_id: Snowflake().optional(),
  }).meta({ id: 'StickerPack', description: 'A pack of stickers of the platform.' }),
)
export type StickerPack = z.output<ReturnType<typeof StickerPack>>
