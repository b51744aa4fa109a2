/** How a process finds the API server, and which credentials it sends. */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import { kubernetesLease } from '../../src/election/stores/kubernetes.ts'
import { type KubernetesAccess, kubernetesAccess } from '../../src/election/stores/kubernetes-access.ts'
import { needs } from '../needs.ts'
import { KubernetesApi } from './kubernetes-api.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-kubernetes-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Resolves when the server answers a request with these credentials. */
async function asks(access: KubernetesAccess): Promise<void> {
  const store = kubernetesLease({ access, namespace: access.namespace, name: 'lease' })
  const { signal } = new AbortController()
  try {
    for await (const _ of store.watch({ signal })) return
  } finally {
    await store.close?.()
  }
}

describe('the access to Kubernetes', () => {
  it('is the server in KUBERNETES_API, in a pod too', async () => {
    const api = await KubernetesApi.start()
    try {
      const access = await kubernetesAccess({ KUBERNETES_API: `${api.url}/`, KUBERNETES_SERVICE_HOST: 'pod' })
      expect(access.namespace).toBe('default')
      expect(await access.server()).toEqual({ url: api.url })
      await asks(access)
    } finally {
      await api.stop()
    }
  })

  it.each(['http://lab:secret@host:8001', 'ftp://host', 'host'])('refuses %s in KUBERNETES_API', async url => {
    const opened = kubernetesAccess({ KUBERNETES_API: url })
    await expect(opened).rejects.toThrow(InvalidOptionError)
    await expect(opened).rejects.toThrow('KUBERNETES_API must be a URL such as http://127.0.0.1:8001, without a user')
    await expect(opened).rejects.not.toThrow('secret')
  })

  it('without a pod and kubectl there is a clear error', async () => {
    const opened = kubernetesAccess({ PATH: folder }, folder)
    await expect(opened).rejects.toThrow(InvalidOptionError)
    await expect(opened).rejects.toThrow(
      /runs in no pod with a service account, and kubectl is not installed; .*kubectl proxy/
    )
  })
})

needs('openssl').describe('the access to Kubernetes by TLS', () => {
  let cert: string
  let key: string

  beforeAll(async () => {
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const subject = ['-subj', '/CN=api', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1']
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyFile, '-out', certFile]
    execFileSync('openssl', ['req', '-x509', '-nodes', ...made, ...subject], { stdio: 'ignore' })
    cert = await readFile(certFile, 'utf8')
    key = await readFile(keyFile, 'utf8')
  })

  it('is the service account of a pod, whose token is read again when it has changed', async () => {
    const pod = join(folder, 'pod')
    await mkdir(pod)
    const write = (name: string, text: string): Promise<void> => writeFile(join(pod, name), `${text}\n`)
    await Promise.all([write('token', 'first'), write('namespace', 'lab'), write('ca.crt', cert)])
    const api = await KubernetesApi.start({ tls: { cert, key } })
    try {
      const { hostname, port } = new URL(api.url)
      const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
      const access = await kubernetesAccess(env, pod)
      expect(access.namespace).toBe('lab')
      api.token = 'first'
      await asks(access)
      api.token = 'second'
      await expect(asks(access)).rejects.toThrow(/401/)
      await write('token', 'second')
      await asks(access)
    } finally {
      await api.stop()
    }
  })

  it('does not send the token to a server that another authority has signed', async () => {
    const api = await KubernetesApi.start({ tls: { cert, key } })
    try {
      const access = { namespace: 'lab', server: async () => ({ url: api.url, token: 'token' }) }
      await expect(asks(access)).rejects.toThrow(/self-signed certificate/)
      expect(api.verbs).toEqual([])
    } finally {
      await api.stop()
    }
  })

  needs('openssl', 'kubectl').describe('by kubectl', () => {
    // Without a home folder kubectl writes its cache to the working folder.
    const env = (): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: folder })
    const base64 = (text: string): string => Buffer.from(text).toString('base64')

    async function contextOf(user: object, cluster: object): Promise<KubernetesAccess> {
      const config = {
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'lab',
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user }],
        contexts: [{ name: 'lab', context: { cluster: 'c', user: 'u', namespace: 'lab' } }]
      }
      const KUBECONFIG = join(folder, 'config')
      await writeFile(KUBECONFIG, JSON.stringify(config))
      return await kubernetesAccess({ ...env(), KUBECONFIG }, folder)
    }

    it('is the certificate and the namespace of the current context, as data or in files', async () => {
      const options = { cert, key, ca: cert, requestCert: true, rejectUnauthorized: true }
      const api = await KubernetesApi.start({ tls: options })
      try {
        const data = { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) }
        const byData = await contextOf(data, { server: api.url, 'certificate-authority-data': base64(cert) })
        expect(byData.namespace).toBe('lab')
        await asks(byData)
        const files = { 'client-certificate': join(folder, 'cert.pem'), 'client-key': join(folder, 'key.pem') }
        await asks(await contextOf(files, { server: api.url, 'insecure-skip-tls-verify': true }))
        await expect(asks(await contextOf({}, { server: api.url, 'insecure-skip-tls-verify': true }))).rejects.toThrow()
      } finally {
        await api.stop()
      }
    })

    it('is the token of the current context', async () => {
      const api = await KubernetesApi.start()
      api.token = 'right'
      try {
        await asks(await contextOf({ token: 'right' }, { server: api.url }))
        await expect(asks(await contextOf({ token: 'wrong' }, { server: api.url }))).rejects.toThrow(/401/)
        const tokenFile = join(folder, 'token-of-user')
        await writeFile(tokenFile, 'right\n')
        await asks(await contextOf({ tokenFile }, { server: api.url }))
      } finally {
        await api.stop()
      }
    })

    it('gets a clear error for a context that logs in by a plugin, and for none', async () => {
      const plugin = {
        exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'cloud', interactiveMode: 'Never' }
      }
      await expect(contextOf(plugin, { server: 'https://10.0.0.1' })).rejects.toThrow(
        /logs in by `exec`, which p2p-worker cannot: run `kubectl proxy` and set KUBERNETES_API/
      )
      const none = kubernetesAccess({ ...env(), KUBECONFIG: join(folder, 'missing') }, folder)
      await expect(none).rejects.toThrow(/current-context must exist.*choose a context of kubectl/)
    })
  })
})
