/**
 * Sends a signal to all processes of a group, and returns whether all of them got the signal. A process of another user
 * (`sudo`) cannot get the signal. The function never throws, because the caller has other groups to handle.
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

/** Whether any process of a group still runs. */
export function isGroupAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** The process groups of the commands that run for this process. */
const groups = new Set<number>()

/** Adds a group to the groups that `killGroups` kills. The returned function removes the group again. */
export function willKill(group: number): () => void {
  groups.add(group)
  return () => void groups.delete(group)
}

/** Kills all added groups. Returns true if at least one group was added and all processes of all groups have been killed. */
export function killGroups(): boolean {
  return groups.size > 0 && [...groups].every(group => signalGroup(group, 'SIGKILL'))
}
