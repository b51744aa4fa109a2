/**
 * Sends a signal to all processes of a group; says whether all that there are got it. Never throws: a process of another user (`sudo`)
 * cannot be signalled, and whoever asks has others to see to.
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

/** Whether any process of a group is left. */
export function isGroupAlive(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** The process groups of the commands that run for this process. */
const groups = new Set<number>()

/** Until the returned function is called, `killGroups` kills this one, too. */
export function willKill(group: number): () => void {
  groups.add(group)
  return () => void groups.delete(group)
}

/** Whether there is any, and all were killed: from then on none of their processes does anything. */
export function killGroups(): boolean {
  return groups.size > 0 && [...groups].every(group => signalGroup(group, 'SIGKILL'))
}
