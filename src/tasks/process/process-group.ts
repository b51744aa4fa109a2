/** Kills all processes of a group; on Windows, which has no groups, only the first process. A group that is gone is no error. */
export function killProcessGroup(group: number): void {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 'SIGKILL')
  } catch {
    // The group is gone.
  }
}
