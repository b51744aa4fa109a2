/** Environment variables that contain a secret itself, rather than the name of a file with one. */
export const SECRET_VARIABLES = ['P2P_WORKER_KEY', 'P2P_WORKER_TOKEN'] as const

/**
 * This process's environment without the cluster's key, for threads, processes and commands that have no use for it.
 * Other variables of a program that embeds this library remain.
 */
export function environmentWithoutSecrets(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const clean = { ...env }
  for (const name of SECRET_VARIABLES) delete clean[name]
  return clean
}
