/** The features of this version of Node and this system. The permission model of each version since Node 20 enforces more. */
const flags = process.allowedNodeEnvironmentFlags

/** The option that enables the permission model; undefined: this Node has none. */
export const PERMISSION_FLAG = ['--permission', '--experimental-permission'].find(flag => flags.has(flag))

/** Whether Node refuses connections without `--allow-net`. */
export const RESTRICTS_NETWORK = flags.has('--allow-net')

/** Whether Node has SQLite, which is disabled because it opens files without a permission check. */
export const HAS_SQLITE = flags.has('--experimental-sqlite')

/** Whether Node can ignore SIGUSR1, which otherwise makes a process listen for a debugger. */
export const CAN_IGNORE_SIGUSR1 = flags.has('--disable-sigusr1')

/** Whether the kernel enforces the memory limit. Elsewhere `ulimit -d` has no effect. */
export const LIMITS_MEMORY = process.platform === 'linux'

/** Whether the system has process groups, and a shell with `ulimit`. */
export const HAS_SHELL = process.platform !== 'win32'
