/** Counts events. It is called for every event. */
export interface EventMeter {
  /** A provider or the daemon published an event, whether or not a game subscribed to it. */
  published(event: string): void
  /** Games received it; `count`: how many. */
  delivered(event: string, count: number): void
}

export const NO_EVENT_METER: EventMeter = { published: () => {}, delivered: () => {} }
