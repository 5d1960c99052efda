/** Direct messages that invite or ask, as a gateway dispatches them. */

const EPOCH = 1_420_070_400_000

/** The id of something made at this time, in ms since the epoch; `place` distinguishes those of one moment. */
export const idAt = (ms: number, place = 0): string => ((BigInt(ms - EPOCH) << 22n) + BigInt(place)).toString()

export const activityMessage = (
  type: number,
  {
    at,
    place = 0,
    from,
    ...more
  }: { readonly at: number; readonly place?: number; readonly from: string; readonly [field: string]: unknown },
): object => ({
  id: idAt(at, place),
  channel_id: '77',
  content: '',
  author: { id: from, username: `user ${from}`, discriminator: '0', avatar: null },
  application_id: '1234567890',
  activity: { type, party_id: 'pier', ...(type === 1 ? { session_id: 'session-of-the-host' } : {}) },
  ...more,
})
