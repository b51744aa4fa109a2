/** The environment variables that contain a secret. The address of a store (P2P_WORKER_ELECTION) can contain a password. Variables that contain the name of a file with a secret are not in the list. */
export const SECRET_VARIABLES = ['P2P_WORKER_KEY', 'P2P_WORKER_TOKEN', 'P2P_WORKER_ELECTION'] as const

/**
 * Returns this process's environment without the secrets, for threads, processes and commands that do not need the secrets.
 * All other variables remain, including those of a program that embeds this library.
 */
export function environmentWithoutSecrets(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const clean = { ...env }
  for (const name of SECRET_VARIABLES) delete clean[name]
  return clean
}

/** Hides the user and the password in the address of a store. The parameters of a URL of PostgreSQL may contain a password too. */
export function withoutCredentials(address: string): string {
  const urls = address.includes('postgres:') ? [address.replace(/\?.*/s, '')] : address.split(',')
  return urls.map(each => each.replace(/^(.*?:\/\/|etcd:)?.*@/, '$1***@')).join()
}
