/** The types of node-flags.mjs, for packaging, which is TypeScript. */

/** The flags on a system, named as `process.platform` names it. */
export declare const nodeFlags: (platform: NodeJS.Platform) => readonly string[]
