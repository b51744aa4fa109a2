type Esbuild = typeof import('esbuild')

let users = 0

/**
 * Lends out esbuild, loaded only when it is needed, and ends its service process after the last user: nobody who bundles a
 * task should leave a process behind.
 */
export async function withEsbuild<Result>(use: (esbuild: Esbuild) => Promise<Result>): Promise<Result> {
  const esbuild = await import('esbuild')
  users++
  try {
    return await use(esbuild)
  } finally {
    users--
    if (users === 0) await esbuild.stop()
  }
}
