/** Checks whether this machine has the programs and rights that some tests need beyond Node and a minimal Debian. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A missing tool, and the Debian package that contains the tool, if such a package exists. */
export interface Missing {
  name: string
  debian?: string
}

type Check = () => Missing[]

const file = (path: string, name: string, debian: string): Missing[] => (existsSync(path) ? [] : [{ name, debian }])

function program(name: string, debian: string): Check {
  return () => {
    const folders = (process.env.PATH ?? '').split(delimiter)
    return folders.some(folder => isProgram(join(folder, name))) ? [] : [{ name, debian }]
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Checks a right by running a command that needs this right. The command runs in new namespaces, which end with the command. */
function right(name: string, args: string[]): Missing[] {
  try {
    execFileSync('unshare', args, { stdio: 'ignore' })
    return []
  } catch {
    return [{ name }]
  }
}

/** Returns the path of Chromium. P2P_WORKER_CHROMIUM overrides the path of the system's Chromium. */
export function chromiumPath(): string {
  return process.env.P2P_WORKER_CHROMIUM ?? '/usr/bin/chromium'
}

const POSTGRES = '/usr/lib/postgresql'

/** Returns the folder of PostgreSQL's programs, which Debian keeps out of the PATH. Returns undefined if PostgreSQL is not installed. */
export function postgresFolder(): string | undefined {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map(version => join(POSTGRES, version, 'bin')).find(folder => isProgram(join(folder, 'postgres')))
}
/** The file by which Debian's package of ZooKeeper shows that it is installed. */
export const ZOOKEEPER_JAR = '/usr/share/java/zookeeper.jar'

/** Options of `unshare` that give a command the private namespaces of a container. */
export const CONTAINER = ['--pid', '--fork', '--mount-proc', '--uts', '--kill-child']

const TOOLS = {
  bash: program('bash', 'bash'),
  'bash-completion': () =>
    file('/usr/share/bash-completion/bash_completion', 'the package bash-completion', 'bash-completion'),
  chromium: () => file(chromiumPath(), `${chromiumPath()}, or P2P_WORKER_CHROMIUM`, 'chromium'),
  containers: () => right('the right to make PID namespaces, as root has', [...CONTAINER, 'hostname', 'probe']),
  curl: program('curl', 'curl'),
  disks: () =>
    right('the right to mount disks in a namespace, as root has', ['-m', 'mount', '-t', 'tmpfs', 'none', '/tmp']),
  etcd: program('etcd', 'etcd-server'),
  fish: program('fish', 'fish'),
  groff: program('groff', 'groff'),
  hosts: () => {
    const programs = [program('ip', 'iproute2'), program('nft', 'nftables')].flatMap(isThere => isThere())
    const probe = 'mount -t tmpfs none /run && ip link add probe type bridge && nft add table bridge probe'
    const name = 'the right to make network namespaces, as root has'
    return programs.length > 0 ? programs : right(name, ['-n', '-m', 'sh', '-c', probe])
  },
  kubectl: program('kubectl', 'kubernetes-client'),
  man: program('man', 'man-db'),
  openssl: program('openssl', 'openssl'),
  postgres: () => (postgresFolder() === undefined ? [{ name: 'postgres', debian: 'postgresql' }] : []),
  promtool: program('promtool', 'prometheus'),
  script: program('script', 'bsdutils'),
  'systemd-analyze': program('systemd-analyze', 'systemd'),
  tmux: program('tmux', 'tmux'),
  zookeeper: () => [...file(ZOOKEEPER_JAR, ZOOKEEPER_JAR, 'zookeeper'), ...program('java', 'default-jre-headless')()],
  zsh: program('zsh', 'zsh')
} satisfies Record<string, Check>

export type Tool = keyof typeof TOOLS

/** Returns the tools of this list that are missing. */
export function missing(...tools: Tool[]): Missing[] {
  return tools.flatMap(tool => TOOLS[tool]())
}

/** Returns a text such as `needs tmux, zsh; Debian: tmux zsh`. */
export function needsText(lacking: readonly Missing[]): string {
  const packages = lacking.flatMap(({ debian = [] }) => debian).join(' ')
  return `needs ${lacking.map(({ name }) => name).join(', ')}${packages === '' ? '' : `; Debian: ${packages}`}`
}

/** Returns whether a benchmark lacks a tool. If a tool is missing, writes to stderr that `what` does not run, in the same form as tests. */
export function lacks(what: string, ...tools: Tool[]): boolean {
  const lacking = missing(...tools)
  if (lacking.length > 0) tellNotRun(what, lacking)
  return lacking.length > 0
}

/** Writes a line in the form that the gate searches for. */
export function tellNotRun(what: string, lacking: readonly Missing[]): void {
  console.warn(`not run: ${what} (${needsText(lacking)})`)
}
