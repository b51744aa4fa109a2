/**
 * The base image of the tests. If the tests run as root and debootstrap is installed, scripts/bare-base.sh builds the base image from Debian's
 * packages and this machine's Node. Otherwise Docker pulls the public base image.
 */
import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../cluster/processes.ts'
import { type Engine, environmentOf } from './engine.ts'

const exec = promisify(execFile)
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** Resolves to the value of the build argument BASE, or to undefined if the default of the Dockerfile applies. */
export async function baseImage(engine: Engine): Promise<string | undefined> {
  const env = environmentOf(engine)
  const debootstrap = await exec('debootstrap', ['--version']).then(
    () => true,
    () => false
  )
  if (!debootstrap || process.getuid?.() !== 0) return undefined
  const { stdout } = await exec(join(root, 'scripts', 'bare-base.sh'))
  const archive = stdout.trim()
  const name = `p2p-worker-test-base:${basename(archive, '.tar')}`
  const exists = await exec('docker', ['image', 'inspect', name], { env }).then(
    () => true,
    () => false
  )
  if (exists) return name
  const extra = process.env.NODE_EXTRA_CA_CERTS === undefined ? [] : certificates()
  await exec('docker', ['import', ...extra, archive, name], { env })
  return name
}

/** Passes the certificate settings of this machine to the build, for a registry with its own certificate authority. */
function certificates(): string[] {
  return ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile'].flatMap(name => ['--change', `ENV ${name}=${CERTIFICATES}`])
}
