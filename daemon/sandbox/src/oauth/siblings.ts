/** Which applications belong together: every application is the parent of every other, as long as both are public or both confidential. */
import type { Platform } from '../platform.ts'

export const isConfidential = ({ store }: Platform, applicationId: string): boolean =>
  store.applications.get(applicationId)?.isConfidential === true

/** An application belongs to itself, too. */
export const areSiblings = (platform: Platform, one: string, other: string): boolean =>
  one === other || isConfidential(platform, one) === isConfidential(platform, other)
