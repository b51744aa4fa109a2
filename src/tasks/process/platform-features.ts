/** What the permission model of this Node can do. Node 20 has the first one; each version since holds to a little more. */
const flags = process.allowedNodeEnvironmentFlags

/** The option that switches it on; undefined: this Node has none. */
export const PERMISSION_FLAG = ['--permission', '--experimental-permission'].find(flag => flags.has(flag))

/** Connections are refused unless `--allow-net` is given. */
export const RESTRICTS_NETWORK = flags.has('--allow-net')

/** It has SQLite, which opens files that the permission model does not look at: so it is switched off. */
export const HAS_SQLITE = flags.has('--experimental-sqlite')

/** SIGUSR1 would make a process listen for a debugger. */
export const CAN_IGNORE_SIGUSR1 = flags.has('--disable-sigusr1')

/** The kernel keeps a process from more memory than it may have. Elsewhere `ulimit` takes the number, and nothing comes of it. */
export const LIMITS_MEMORY = process.platform === 'linux'

/** There is a shell that has limits for what it starts, and process groups. */
export const HAS_SHELL = process.platform !== 'win32'
