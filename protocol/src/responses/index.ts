/** Functions that shape responses of the platform before they are returned to the caller. */
export * from './channels.ts'
export * from './connections.ts'
export type { ResponseContext } from './context.ts'
export * from './history.ts'
export * from './premium.ts'
