/** An application and a user of the platform: one sign-in, whichever programs use it. */
export interface AccountKey {
  readonly applicationId: string
  readonly userId: string
}

/** A text that is equal for equal accounts; ids are digits, so that the colon is unambiguous. */
export const accountText = ({ applicationId, userId }: AccountKey): string => `${applicationId}:${userId}`

export const isSameAccount = (one: AccountKey, other: AccountKey): boolean =>
  one.applicationId === other.applicationId && one.userId === other.userId
