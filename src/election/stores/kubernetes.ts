/**
 * The lease in a Lease of Kubernetes (`coordination.k8s.io/v1`), by the rules of client-go's leader election. The record and the heir are
 * annotations of the same object, so each change is one write, which names the version that it replaces.
 *
 * The API server ends no lease. A client takes the lease of another session when it has seen the same version for the lease's whole
 * duration by its own monotonic clock. It never compares its wall clock with the times in the Lease. The holder counts from when it sent
 * the write, and an observer from when it has seen what was written, which is later. A holder that has renewed in between has made another
 * version, which the write of the observer cannot replace.
 */
import { createHash } from 'node:crypto'
import pDefer from 'p-defer'
import { orAborted } from '../../lib/abort.ts'
import type { LeaseState, LeaseStore } from '../store/lease-store.ts'
import { type KubernetesAccess, kubernetesAccess } from './kubernetes-access.ts'
import { KubernetesClient, type Lease } from './kubernetes-client.ts'

/** Where the Lease is. */
export interface LeasePlace {
  namespace: string
  name: string
}

export interface KubernetesLeaseOptions extends LeasePlace {
  access: KubernetesAccess
  /** The wall clock. It is only shown: `renewTime` and `acquireTime` say it. */
  wall?: () => number
}

/** A version of the Lease, and when this client has seen it first, in ms by the monotonic clock. */
interface Seen {
  lease: Lease
  at: number
}

/** What a client writes. */
interface Change {
  /** The holder and its session, separated by `_`. Empty: no peer holds the lease. */
  identity: string
  heir?: string
  record: string | undefined
  leaseTime: number
}

/** The lease duration of client-go. A duration is in whole seconds. */
const USUAL_MS = 15_000
const LEAST_MS = 1_000
/** The longest wait of a watch, in ms. */
const LONGEST_MS = 60_000
const RECORD = 'p2p-worker/record'
const HEIR = 'p2p-worker/heir'

/** Returns the store of a cluster. Without a place it is the Lease `p2p-worker-CLUSTER` in the namespace of this process. */
export async function openKubernetesLease(place: LeasePlace | undefined, cluster: string): Promise<LeaseStore> {
  const access = await kubernetesAccess()
  return kubernetesLease({ access, ...(place ?? { namespace: access.namespace, name: leaseName(cluster) }) })
}

/** The name of the Lease of a cluster. Names of Kubernetes have no upper case: clusters whose names become equal differ by a hash. */
export function leaseName(cluster: string): string {
  const name = `p2p-worker-${cluster.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  if (name === `p2p-worker-${cluster}` && !name.endsWith('-')) return name
  return `${name}-${createHash('sha256').update(cluster).digest('hex').slice(0, 8)}`
}

/** Returns a store in this Lease. */
export function kubernetesLease({ access, namespace, name, wall = Date.now }: KubernetesLeaseOptions): LeaseStore {
  const client = new KubernetesClient({ namespace, name, server: access.server })
  const closing = new AbortController()
  let seen: Seen = { lease: { metadata: { namespace, name } }, at: Number.NEGATIVE_INFINITY }
  let changed = pDefer<void>()
  let following: Promise<void> | undefined
  let writes = 0

  /** Notes a version. A Lease that was deleted still counts, because its holder may not know, and can write it again. */
  function see(lease = withoutVersion(seen.lease)): Seen {
    if (lease.metadata.resourceVersion !== seen.lease.metadata.resourceVersion) {
      seen = { lease, at: performance.now() }
      changed.resolve()
      changed = pDefer()
    }
    return seen
  }

  const look = async (signal: AbortSignal): Promise<Seen> => see((await client.read(signal)).lease)

  /** Writes the Lease, and returns its version. Returns undefined if it is no longer the one that was seen. */
  async function write({ lease }: Seen, change: Change, signal: AbortSignal): Promise<string | undefined> {
    const { metadata, spec = {} } = lease
    const { identity, heir, record, leaseTime } = change
    const isNext = identity !== '' && identity !== spec.holderIdentity
    // In µs, of which the wall clock has none: so no two writes of this client are equal.
    writes += 1
    const now = new Date(wall()).toISOString().replace('Z', `${String(writes % 1_000).padStart(3, '0')}Z`)
    const { [RECORD]: _, [HEIR]: __, ...others } = metadata.annotations ?? {}
    const annotations = { ...others, ...(record && { [RECORD]: record }), ...(heir && { [HEIR]: heir }) }
    const written = await client.write(
      {
        metadata: { ...metadata, annotations },
        spec: {
          ...spec,
          holderIdentity: identity,
          leaseDurationSeconds: Math.ceil(leaseTime / 1_000),
          renewTime: now,
          ...(isNext && { acquireTime: now, leaseTransitions: (spec.leaseTransitions ?? -1) + 1 })
        }
      },
      signal
    )
    // The API server leaves out a write that changes nothing. No observer would see it.
    if (written === undefined || written.metadata.resourceVersion === metadata.resourceVersion) return undefined
    see(written)
    return written.metadata.resourceVersion
  }

  /** Writes the Lease if this session holds it, again when another write is faster. Resolves with whether the session holds it. */
  async function update(session: string, change: (identity: string, record: string) => Change, signal: AbortSignal) {
    for (let now = sessionOf(seen) === session ? seen : await look(signal); sessionOf(now) === session; ) {
      const next = change(now.lease.spec!.holderIdentity!, stateOf(now).record ?? '')
      if ((await write(now, next, signal)) !== undefined) return true
      now = await look(signal)
    }
    return false
  }

  /**
   * Sees each version soon after its write, until the store is closed. Without this, a peer whose leader dies would see the last version late, and
   * would begin only then to wait for the end of the lease.
   */
  function follow(): Promise<void> {
    following ??= (async () => {
      try {
        for await (const lease of client.follow(closing.signal)) see(lease)
      } finally {
        following = undefined
      }
    })()
    following.catch(() => {})
    return following
  }

  return {
    name: 'kubernetes',
    leastLeaseTime: LEAST_MS,
    usualLeaseTime: USUAL_MS,

    async acquire({ holder, session, leaseTime, record, signal }) {
      const identity = `${holder}_${session}`
      for (;;) {
        const now = await look(signal)
        const { holder: present, heir, record: recorded } = stateOf(now)
        const isTaken = present !== undefined && now.lease.spec?.holderIdentity !== identity
        if (isTaken || (heir !== undefined && heir !== holder)) return undefined
        const next = record(recorded)
        const number = await write(now, { identity, record: next, leaseTime }, signal)
        if (number !== undefined) return { record: next, number }
      }
    },

    renew: async ({ session, leaseTime, record = recorded => recorded, signal }) =>
      await update(session, (identity, recorded) => ({ identity, record: record(recorded), leaseTime }), signal),

    async transfer({ session, heir, leaseTime, signal }) {
      await update(session, (_, record) => ({ identity: '', heir, record, leaseTime }), signal)
    },

    async release({ session, signal }) {
      await update(session, (_, record) => ({ identity: '', record, leaseTime: LEAST_MS }), signal)
    },

    async *watch({ signal }) {
      try {
        await look(signal)
        for (;;) {
          const follower = follow()
          const told = seen
          const state = stateOf(told)
          yield state
          if (told !== seen) continue
          const end = state.endsIn === undefined ? [] : [after(remaining(told))]
          await orAborted(Promise.race([follower, changed.promise, ...end]), signal)
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },

    async close() {
      closing.abort()
    }
  }
}

async function after(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, Math.min(ms, LONGEST_MS)).unref())
}

/** The Lease as a new object with the same content. */
function withoutVersion({ metadata: { namespace, name, annotations = {} }, spec = {} }: Lease): Lease {
  return { metadata: { namespace, name, annotations }, spec }
}

/** The session that holds the lease, even if its time is over: until another session takes it, it can be renewed. */
function sessionOf({ lease }: Seen): string | undefined {
  return lease.spec?.holderIdentity?.split('_').slice(1).join('_')
}

function stateOf({ lease, at }: Seen): LeaseState {
  const { [RECORD]: record, [HEIR]: heir } = lease.metadata.annotations ?? {}
  const holder = lease.spec?.holderIdentity?.split('_')[0]
  const endsIn = remaining({ lease, at })
  if (endsIn <= 0 || !(holder || heir)) return { holder: undefined, heir: undefined, record, endsIn: undefined }
  return { holder: holder || undefined, heir, record, endsIn }
}

function remaining({ lease: { spec }, at }: Seen): number {
  return at + (spec?.leaseDurationSeconds ?? USUAL_MS / 1_000) * 1_000 - performance.now()
}
