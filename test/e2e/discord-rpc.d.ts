/** The part of discord-rpc that the tests use; the package ships no types. */
declare module 'discord-rpc' {
  export class Client {
    constructor(options: { transport: 'ipc' })
    readonly user: { readonly id: string; readonly username: string }
    readonly application: { readonly id: string; readonly name: string }
    readonly fetch: object
    login(options: { clientId: string; clientSecret?: string; scopes?: string[]; redirectUri?: string }): Promise<this>
    setActivity(args: object): Promise<unknown>
    clearActivity(): Promise<unknown>
    subscribe(event: string, callback: () => void): Promise<{ unsubscribe(): Promise<unknown> }>
    destroy(): Promise<void>
  }
}
