/**
 * The image that the tests build on. Where images can be pulled it is the public default; here, and in the gate, it is made of
 * Debian's packages and this machine's own Node, and kept outside the repository for the next run.
 */
import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Engine, environmentOf } from './engine.ts'

const exec = promisify(execFile)
const CACHE = '/var/tmp/p2p-worker-test'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const GiB = 2 ** 30

/** The value of the build argument BASE; undefined for the Dockerfile's own. */
export async function baseImage(engine: Engine): Promise<string | undefined> {
  const env = environmentOf(engine)
  const debootstrap = await exec('debootstrap', ['--version']).then(
    () => true,
    () => false
  )
  if (!debootstrap || process.getuid?.() !== 0) return undefined
  const suite = /^VERSION_CODENAME=(.*)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? 'stable'
  const name = `p2p-worker-test-base:${suite}-node${process.versions.node}`
  const exists = await exec('docker', ['image', 'inspect', name], { env }).then(
    () => true,
    () => false
  )
  if (exists) return name
  const archive = join(CACHE, `${name.replaceAll(':', '-')}-${process.arch}.tar`)
  await mkdir(CACHE, { recursive: true })
  await readFile(`${archive}.done`).catch(() => makeArchive(suite, archive))
  const extra = process.env.NODE_EXTRA_CA_CERTS === undefined ? [] : certificates()
  await exec('docker', ['import', ...extra, archive, name], { env })
  return name
}

/** A machine whose registry has a certificate of its own hands that on to the build. */
function certificates(): string[] {
  return ['NODE_EXTRA_CA_CERTS', 'npm_config_cafile'].flatMap(name => ['--change', `ENV ${name}=${CERTIFICATES}`])
}

async function makeArchive(suite: string, archive: string): Promise<void> {
  const root = await mkdtemp(join(CACHE, 'root-'))
  try {
    await exec('debootstrap', ['--variant=minbase', '--include=ca-certificates,libstdc++6', suite, root], {
      maxBuffer: GiB
    })
    await rm(join(root, 'var', 'cache', 'apt', 'archives'), { recursive: true, force: true })
    await rm(join(root, 'var', 'lib', 'apt', 'lists'), { recursive: true, force: true })
    await copyFile(CERTIFICATES, join(root, CERTIFICATES)).catch(() => {})
    await addNode(join(root, 'usr', 'local'))
    const draft = `${archive}.draft`
    await exec('tar', ['-C', root, '-cf', draft, '.'], { maxBuffer: GiB })
    await rename(draft, archive)
    await exec('touch', [`${archive}.done`])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function addNode(prefix: string): Promise<void> {
  const bin = join(prefix, 'bin')
  const modules = join(prefix, 'lib', 'node_modules')
  await mkdir(modules, { recursive: true })
  await copyFile(process.execPath, join(bin, 'node'))
  const { stdout } = await exec('sh', ['-c', 'command -v npm'])
  // …/npm/bin/npm-cli.js
  const npm = dirname(dirname(await realpath(stdout.trim())))
  await cp(npm, join(modules, 'npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(bin, 'npm'))
}
