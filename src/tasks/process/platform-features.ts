/** What this version of Node and this system can enforce. The permission model of each version since Node 20 enforces more. */
const flags = process.allowedNodeEnvironmentFlags

/** The option that enables the permission model; undefined: this Node has none. */
export const PERMISSION_FLAG = ['--permission', '--experimental-permission'].find(flag => flags.has(flag))

/** Node refuses connections unless it gets `--allow-net`. */
export const RESTRICTS_NETWORK = flags.has('--allow-net')

/** Node has SQLite, which opens files without a permission check, so it is disabled. */
export const HAS_SQLITE = flags.has('--experimental-sqlite')

/** SIGUSR1 makes a process listen for a debugger, unless Node can ignore it. */
export const CAN_IGNORE_SIGUSR1 = flags.has('--disable-sigusr1')

/** The kernel enforces the memory limit. Elsewhere `ulimit -d` has no effect. */
export const LIMITS_MEMORY = process.platform === 'linux'

/** The system has process groups, and a shell with `ulimit`. */
export const HAS_SHELL = process.platform !== 'win32'
