/**
 * Sends a signal to all processes of a group, and returns whether all of them got it. It never throws: a process of
 * another user (`sudo`) cannot be signalled, and the caller has other groups to handle.
 */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH') console.error(`p2p-worker: ${signal} cannot be sent to process group ${group}: ${code}`)
    return code === 'ESRCH'
  }
}

/** Whether a group has any process left. */
export function isGroupAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** The process groups of the commands that run for this process. */
const groups = new Set<number>()

/** Adds a group to those that `killGroups` kills, until the returned function is called. */
export function willKill(group: number): () => void {
  groups.add(group)
  return () => void groups.delete(group)
}

/** Kills the groups. Returns true if there was any and all were killed: none of their processes runs any more. */
export function killGroups(): boolean {
  return groups.size > 0 && [...groups].every(group => signalGroup(group, 'SIGKILL'))
}
