/** Activities as a game sends them, and as the bridge stores and returns them. Rules between fields are in store-activity.ts. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { tolerant, WEB_URL } from '../schema/index.ts'
import { NUMBER_SETS, numbersOf } from './number-sets.ts'

/*
 * Serializers of many languages write null or '' for absent values, so every optional field accepts both as absent.
 * Patterns instead of unions, refinements or transforms: JSON Schema can express them, and this is the most used schema.
 */
const EMPTY_OR_TWO = /^$|^[\s\S]{2}/
const EMPTY_OR_WEB_URL = new RegExp(`^$|${WEB_URL.source}`)
/** An asset key has no colon; `mp:` marks images that the platform has already fetched. */
const IMAGE = new RegExp(`^[^:]*$|^mp:[^\\s]+$|${WEB_URL.source}`)

const MIN = LIMITS.activityTextMin.value
const MAX = LIMITS.activityTextMax.value

const line = once(() =>
  z
    .string()
    .max(MAX)
    .regex(EMPTY_OR_TWO, `must have ${MIN} to ${MAX} characters`)
    .nullish()
    .meta({ description: `${MIN} to ${MAX} characters.` }),
)
const upTo = (max: number) => z.string().max(max).nullish()
const link = once(() =>
  z
    .string()
    .max(LIMITS.activityUrl.value)
    .regex(EMPTY_OR_WEB_URL, 'must be an http or https URL')
    .nullish()
    .meta({ description: 'An http or https URL.' }),
)
const image = once(() =>
  z
    .string()
    .max(LIMITS.activityImage.value)
    .regex(IMAGE, 'must be an asset key or an http or https URL')
    .nullish()
    .meta({ description: 'An asset key, or an http or https URL.' }),
)
/** Some languages have one type of number, which prints fractions, and some serializers print numbers as text. */
const number = (digits: RegExp, value: z.ZodNumber) => z.union([value, z.string().regex(digits, 'must be a number')], 'must be a number')
const moment = once(() =>
  number(/^$|^[0-9]{1,15}(?:\.[0-9]{1,15})?$/, z.number().min(0).max(Number.MAX_SAFE_INTEGER))
    .nullish()
    .meta({ description: 'Unix time in milliseconds or seconds, with or without a fraction.' }),
)

export const ACTIVITY_TYPES = numbersOf(NUMBER_SETS.ActivityType)

export const ACTIVITY_PLATFORMS = ['desktop', 'xbox', 'samsung', 'ios', 'android', 'embedded', 'ps4', 'ps5', 'meta_quest'] as const

const Button = once(() =>
  z.object({
    label: z.string().min(1).max(LIMITS.activityButtonLabel.value),
    url: z
      .string()
      .max(LIMITS.activityButtonUrl.value)
      .regex(WEB_URL, 'must be an http or https URL')
      .meta({ description: 'An http or https URL.' }),
  }),
)

/** An activity as a game sends it. Other keys are dropped: games send back what the platform computes, and keys that only their library knows. */
export const ActivityInput = once(() =>
  z
    .object({
      name: upTo(MAX),
      type: z.literal(ACTIVITY_TYPES).nullish().meta({ description: '0 playing (default), 2 listening, 3 watching, 5 competing' }),
      details: line(),
      details_url: link(),
      state: line(),
      state_url: link(),
      timestamps: z.object({ start: moment(), end: moment() }).nullish(),
      assets: z
        .object({
          large_image: image(),
          large_text: line(),
          large_url: link(),
          small_image: image(),
          small_text: line(),
          small_url: link(),
          invite_cover_image: image(),
          // As the specification of the platform writes it. What clients are generated from has one name for it.
          inviteCoverImage: image().meta({ alias_of: 'invite_cover_image' }),
        })
        .nullish(),
      party: z
        .object({
          id: line(),
          size: z
            .tuple([number(/^[0-9]{1,9}$/, z.number().int().min(0)), number(/^[1-9][0-9]{0,8}$/, z.number().int().min(1))])
            .nullish()
            .meta({ description: 'Current and maximum number of players in the party.' }),
          privacy: z.literal(numbersOf(NUMBER_SETS.PartyPrivacy)).nullish().meta({ description: '0 private, 1 public' }),
        })
        .nullish(),
      secrets: z.object({ join: line(), spectate: upTo(MAX), match: upTo(MAX) }).nullish(),
      buttons: z.array(Button()).max(LIMITS.activityButtons.value).nullish(),
      instance: z.boolean().nullish(),
      status_display_type: z
        .literal(numbersOf(NUMBER_SETS.StatusDisplayType))
        .nullish()
        .meta({ description: 'Which text the member list shows: 0 name, 1 state, 2 details' }),
      supported_platforms: z.array(z.enum(ACTIVITY_PLATFORMS)).max(LIMITS.activityPlatforms.value).nullish(),
    })
    .meta({
      id: 'ActivityInput',
      description:
        'The activity of the player, as a game sends it. null, empty text and empty objects count as absent; other keys are ignored.',
    }),
)
export type ActivityInput = z.output<ReturnType<typeof ActivityInput>>

/** Bits of `flags`. */
export const ACTIVITY_FLAGS = {
  INSTANCE: 1 << 0,
  JOIN: 1 << 1,
  SPECTATE: 1 << 2,
  JOIN_REQUEST: 1 << 3,
  SYNC: 1 << 4,
  PLAY: 1 << 5,
  PARTY_PRIVACY_FRIENDS: 1 << 6,
  PARTY_PRIVACY_VOICE_CHANNEL: 1 << 7,
  EMBEDDED: 1 << 8,
} as const

/** An activity as returned and shown. Times in ms; buttons as labels, with their URLs in `metadata.button_urls`. */
export const Activity = once(() =>
  tolerant({
    name: z.string(),
    type: z.number().int(),
    application_id: z.string().optional(),
    details: z.string().nullish(),
    details_url: z.string().nullish(),
    state: z.string().nullish(),
    state_url: z.string().nullish(),
    timestamps: tolerant({ start: z.number().optional(), end: z.number().optional() }).nullish(),
    assets: tolerant({
      large_image: z.string().optional(),
      large_text: z.string().optional(),
      large_url: z.string().optional(),
      small_image: z.string().optional(),
      small_text: z.string().optional(),
      small_url: z.string().optional(),
      invite_cover_image: z.string().optional(),
    }).nullish(),
    party: tolerant({ id: z.string().optional(), size: z.array(z.number()).optional(), privacy: z.number().int().optional() }).nullish(),
    buttons: z.array(z.string()).nullish(),
    metadata: tolerant({ button_urls: z.array(z.string()).optional() }).nullish(),
    instance: z.boolean().optional(),
    status_display_type: z.number().int().nullish(),
    supported_platforms: z.array(z.string()).optional(),
    flags: z.number().int().optional(),
    hidden: z.boolean().optional().meta({
      description: 'Only in the response to SET_ACTIVITY: true if the user hides the activities of the program, so nothing is shown.',
    }),
  }).meta({ id: 'Activity', description: 'The activity of a user, as it is stored and shown.' }),
)
export type Activity = z.output<ReturnType<typeof Activity>>
