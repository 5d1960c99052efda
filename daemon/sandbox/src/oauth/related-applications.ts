/** Related applications: every application is the parent of every other one when both are public or both confidential. */
import type { Platform } from '../platform.ts'

export const isConfidential = ({ store }: Platform, applicationId: string): boolean =>
  store.applications.get(applicationId)?.isConfidential === true

/** An application is related to itself. */
export const areRelated = (platform: Platform, one: string, other: string): boolean =>
  one === other || isConfidential(platform, one) === isConfidential(platform, other)
