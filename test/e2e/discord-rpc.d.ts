/** The part of discord-rpc that the tests use; the package ships no types. */
declare module 'discord-rpc' {
  export class Client {
    constructor(options: { transport: 'ipc' } | { transport: 'websocket'; origin: string })
    readonly user: { readonly id: string; readonly username: string }
    readonly application: { readonly id: string; readonly name: string }
    readonly fetch: object
    /** Which of the ten ports is next. */
    readonly transport: { tries?: number }
    login(options: { clientId: string; clientSecret?: string; scopes?: string[]; redirectUri?: string }): Promise<this>
    setActivity(args: object): Promise<unknown>
    clearActivity(): Promise<unknown>
    subscribe(event: string, callback: () => void): Promise<{ unsubscribe(): Promise<unknown> }>
    destroy(): Promise<void>
  }
}
