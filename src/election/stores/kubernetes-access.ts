/** Finds the API server of Kubernetes, and the credentials of this process. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { InvalidOptionError } from '../../common/errors.ts'

/** Where the API server is, and what it accepts. */
export interface KubernetesServer {
  /** Its URL, without a slash at the end. */
  url: string
  token?: string | undefined
  /** The options of TLS. */
  tls?: { ca?: string | Buffer; cert?: Buffer; key?: Buffer; servername?: string; rejectUnauthorized?: boolean }
}

export interface KubernetesAccess {
  /** The namespace of this process. */
  namespace: string
  /** Returns the server for the next request. Credentials in files rotate, so they are read each time. */
  server: () => Promise<KubernetesServer>
}

/** What `kubectl config view` prints of the current context. */
interface KubeConfig {
  clusters?: [{ cluster: { [key: string]: string | undefined } & { 'insecure-skip-tls-verify'?: boolean } }]
  contexts?: [{ context: { namespace?: string } }]
  users?: [{ user: { [key: string]: string | undefined } }]
}

/** Where a pod finds its service account. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'
const PROXY = 'run `kubectl proxy` and set KUBERNETES_API=http://127.0.0.1:8001'

/**
 * Returns the server that KUBERNETES_API names. Without this variable, the one of the pod in which this process runs, and outside of a
 * pod the one of the current context of `kubectl`, which merges and reads the kubeconfig files.
 *
 * @throws InvalidOptionError when there is none
 */
export async function kubernetesAccess(
  env: NodeJS.ProcessEnv = process.env,
  folder = SERVICE_ACCOUNT
): Promise<KubernetesAccess> {
  const { KUBERNETES_API: api, KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env
  if (api !== undefined && api !== '') {
    const url = urlOf(api, 'KUBERNETES_API')
    return { namespace: 'default', server: async () => ({ url }) }
  }
  if (host === undefined || !existsSync(join(folder, 'token'))) return await currentContext(env)
  const read = async (name: string): Promise<string> => (await readFile(join(folder, name), 'utf8')).trim()
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    namespace: await read('namespace'),
    server: async () => ({ url, token: await read('token'), tls: { ca: await read('ca.crt') } })
  }
}

async function currentContext(env: NodeJS.ProcessEnv): Promise<KubernetesAccess> {
  const { clusters, contexts, users } = await kubeConfig(env)
  const cluster = clusters?.[0]?.cluster ?? {}
  const user = users?.[0]?.user ?? {}
  const url = urlOf(cluster.server ?? '', 'the server of the current context of kubectl')
  const plugin = ['exec', 'auth-provider', 'username'].find(key => user[key] !== undefined)
  if (plugin !== undefined)
    throw new InvalidOptionError(
      `the current context of kubectl logs in by \`${plugin}\`, which p2p-worker cannot: ${PROXY}`
    )
  const data = (text: string | undefined): Buffer | undefined => (text ? Buffer.from(text, 'base64') : undefined)
  const tls = {
    ca: data(cluster['certificate-authority-data']),
    cert: data(user['client-certificate-data']),
    key: data(user['client-key-data']),
    servername: cluster['tls-server-name'],
    rejectUnauthorized: cluster['insecure-skip-tls-verify'] !== true
  }
  // Node does not take an option that is undefined for one that is missing.
  const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined))
  const { token, tokenFile } = user
  return {
    namespace: contexts?.[0]?.context.namespace ?? 'default',
    server: async () => ({
      url,
      token: tokenFile === undefined ? token : (await readFile(tokenFile, 'utf8')).trim(),
      tls: given
    })
  }
}

async function kubeConfig(env: NodeJS.ProcessEnv): Promise<KubeConfig> {
  try {
    const args = ['config', 'view', '--raw', '--minify', '--flatten', '--output', 'json']
    return JSON.parse((await promisify(execFile)('kubectl', args, { env })).stdout) as KubeConfig
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string }
    const why = code === 'ENOENT' ? 'kubectl is not installed' : stderr.trim() || message
    throw new InvalidOptionError(
      `found no API server of Kubernetes: this process runs in no pod with a service account, and ${why}; choose a context of kubectl, or ${PROXY}`,
      { cause: error }
    )
  }
}

function urlOf(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new InvalidOptionError(`${what} must be a URL such as http://127.0.0.1:8001, without a user`)
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}
