/** Counts the calls that waited for a rate limit of the platform. */
export interface WaitMeter {
  /** `bucket`: the platform's name of it, or the name of the operation before the platform has named it. */
  waited(bucket: string, ms: number): void
}
