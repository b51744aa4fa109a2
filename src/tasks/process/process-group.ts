/** Kills all processes of a group; on Windows, which has no groups, its first process. A group that is gone is no error. */
export function killProcessGroup(group: number): void {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 'SIGKILL')
  } catch {
    // Gone.
  }
}
