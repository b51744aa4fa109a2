/** The features of this version of Node and this system. Each version since Node 20 has a permission model that enforces more than the model before. */
const flags = process.allowedNodeEnvironmentFlags

/** The option that enables the permission model; undefined if this version of Node has no permission model. */
export const PERMISSION_FLAG = ['--permission', '--experimental-permission'].find(flag => flags.has(flag))

/** Whether Node refuses connections without `--allow-net`. */
export const RESTRICTS_NETWORK = flags.has('--allow-net')

/** Whether Node has SQLite. SQLite opens files without a permission check, so SQLite is disabled for tasks. */
export const HAS_SQLITE = flags.has('--experimental-sqlite')

/** Whether Node can ignore SIGUSR1. Without this option, SIGUSR1 makes a process listen for a debugger. */
export const CAN_IGNORE_SIGUSR1 = flags.has('--disable-sigusr1')

/** Whether the kernel enforces the memory limit. On other systems, `ulimit -d` has no effect. */
export const LIMITS_MEMORY = process.platform === 'linux'

/** Whether the system has process groups, and a shell with `ulimit`. */
export const HAS_SHELL = process.platform !== 'win32'
