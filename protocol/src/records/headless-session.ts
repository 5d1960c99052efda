/** Presence without a gateway connection. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'
import { Snowflake, text, tolerant, wholeNumber } from '../schema/index.ts'

const Secret = once(() => text(LIMITS.activityTextMin.value, LIMITS.activityTextMax.value))
const Line = once(() => text(LIMITS.activityTextMin.value, LIMITS.activityTextMax.value).nullish())
const Address = once(() => z.string().max(LIMITS.activityUrl.value).nullish())
const Image = once(() => text(1, LIMITS.activityImage.value).nullish())

export const HeadlessActivity = once(() =>
  z
    .strictObject({
      type: z.literal([0, 2, 3, 5]).meta({ description: '0 playing, 2 listening, 3 watching, 5 competing' }),
      name: text(LIMITS.activityTextMin.value, LIMITS.activityTextMax.value),
      application_id: Snowflake(),
      platform: text(1, LIMITS.platformName.value).meta({ description: 'Platform of the game, e.g. desktop, xbox, ps5, android, ios.' }),
      details: Line(),
      details_url: Address(),
      state: Line(),
      state_url: Address(),
      timestamps: z.strictObject({ start: z.number().int().min(0).nullish(), end: z.number().int().min(0).nullish() }).nullish(),
      assets: z
        .strictObject({
          large_image: Image(),
          large_text: Line(),
          large_url: Address(),
          small_image: Image(),
          small_text: Line(),
          small_url: Address(),
          invite_cover_image: Image(),
        })
        .nullish(),
      party: z
        .strictObject({ id: text(1, LIMITS.activityTextMax.value), size: z.array(wholeNumber(0, 0x7fffffff)).length(2).nullish() })
        .nullish(),
      secrets: z.strictObject({ join: Secret().nullish() }).nullish(),
      flags: wholeNumber(0, 0x7fffffff).nullish(),
    })
    .meta({ id: 'HeadlessActivity', description: 'An activity that is shown without a gateway connection.' }),
)
export type HeadlessActivity = z.output<ReturnType<typeof HeadlessActivity>>

/** Token of a headless session; updates and deletes it. */
export const HeadlessSessionToken = once(() =>
  text(1, LIMITS.headlessToken.value).meta({
    id: 'HeadlessSessionToken',
    description: 'Token of a headless session. A secret.',
  }),
)

export const HeadlessSession = once(() =>
  tolerant({
    activities: z.array(tolerant({ name: z.string(), type: z.number().int(), session_id: z.string().nullish() })),
    token: z.string(),
  }).meta({ id: 'HeadlessSession', description: 'The shown activities, and the token (a secret) that updates and deletes the session.' }),
)
export type HeadlessSession = z.output<ReturnType<typeof HeadlessSession>>
