/** Kills all processes of a group; on Windows, which has no process groups, only the first process. A group that has already ended is no error. */
export function killProcessGroup(group: number): void {
  try {
    process.kill(process.platform === 'win32' ? group : -group, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}
