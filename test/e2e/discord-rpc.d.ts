/** The parts of discord-rpc, and of packages made from it, that the tests use; they ship no types. */
declare module 'discord-rpc' {
  interface Guild {
    readonly id: string
    readonly name: string
  }
  export class Client {
    constructor(options: { transport: 'ipc' } | { transport: 'websocket'; origin: string })
    readonly user: { readonly id: string; readonly username: string }
    readonly application: { readonly id: string; readonly name: string }
    readonly fetch: object
    /** Which of the ten ports is next. */
    readonly transport: { tries?: number }
    login(options: { clientId: string; clientSecret?: string; scopes?: string[]; redirectUri?: string }): Promise<this>
    request(cmd: string, args: object, evt?: string): Promise<unknown>
    getGuilds(): Promise<{ readonly guilds: readonly Guild[] }>
    getGuild(id: string): Promise<Guild>
    getChannels(guildId: string): Promise<readonly Guild[]>
    getChannel(id: string): Promise<Guild>
    setActivity(args: object): Promise<unknown>
    clearActivity(): Promise<unknown>
    subscribe(event: string, callback: () => void): Promise<{ unsubscribe(): Promise<unknown> }>
    destroy(): Promise<void>
  }
}
declare module 'd-js-rpc' {
  export { Client } from 'discord-rpc'
}
declare module 'discord-rpc-patch' {
  export { Client } from 'discord-rpc'
}
