import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { InvalidOptionError } from '../common/errors.ts'

const KEY_BYTES = 32
const CLUSTER_ID = /^[0-9a-f]{16}$/

/** Generates a cluster key of 32 random bytes, encoded as 43 characters of base64url. */
export function generateClusterKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}

/** A parsed cluster key ({@link parseClusterKey}). */
export interface ClusterKey {
  /** The 32 bytes of the key. */
  secret: Uint8Array
  /** The cluster's id if the key replaces an earlier key. Undefined if the id is derived from this key. */
  clusterId: string | undefined
}

/**
 * Parses a key that {@link generateClusterKey} or {@link replacementKey} returned.
 *
 * @throws InvalidOptionError, whose text never contains the key
 */
export function parseClusterKey(text: string): ClusterKey {
  const [trimmed = '', clusterId, ...rest] = text.trim().split('.')
  const wrong = (what: string) =>
    new InvalidOptionError(
      `the cluster key ${what}; a key is 43 characters of A-Z a-z 0-9 - _, as keygen prints it, and a key that replaced another one has the cluster's id behind a dot`
    )
  if (!/^[A-Za-z0-9_-]*$/.test(trimmed)) throw wrong('holds characters that are not base64url')
  if (trimmed.length !== 43) throw wrong(`has ${trimmed.length} characters instead of 43`)
  if (rest.length > 0 || (clusterId !== undefined && !CLUSTER_ID.test(clusterId)))
    throw wrong('is damaged behind its dot')
  const bytes = Buffer.from(trimmed, 'base64url')
  // The last character carries 4 bits of the key. If its unused bits are set, the copy of the key is damaged.
  if (bytes.toString('base64url') !== trimmed) throw wrong('is damaged at its end')
  return { secret: new Uint8Array(bytes), clusterId }
}

/**
 * Generates a key that replaces `key` in the same cluster. Peers that accept both keys form one cluster, so the peers can change keys one by one.
 *
 * @throws InvalidOptionError
 */
export function replacementKey(cluster: string, key: string): string {
  return `${generateClusterKey()}.${clusterIdentity(cluster, parseClusterKey(key)).clusterId}`
}

/** @throws InvalidOptionError */
export function checkClusterName(cluster: string): void {
  if (!/^[A-Za-z0-9._-]{1,63}$/.test(cluster)) {
    throw new InvalidOptionError(
      `the cluster name ${JSON.stringify(cluster.slice(0, 80))} is not 1 to 63 characters of A-Z a-z 0-9 . _ -`
    )
  }
}

/** The values that are derived from a cluster's name and keys and that peers use on the wire. */
export interface ClusterIdentity {
  /** 16 hex digits that identify the cluster in protocol ids, topics and signatures. The digits reveal nothing about the key. */
  clusterId: string
  /** The libp2p swarm key file of each key, for `@libp2p/pnet`. The list is empty for an insecure cluster. */
  psks: Uint8Array[]
}

/**
 * Derives the identity from the name and the key (HKDF-SHA256, RFC 5869), so that the same key with another name gives another
 * cluster. Without a key, the id is derived from the name alone.
 *
 * @param key - one key, or several keys of the same cluster during a change of the key
 * @throws InvalidOptionError
 */
export function clusterIdentity(cluster: string, key: ClusterKey | readonly ClusterKey[] | undefined): ClusterIdentity {
  checkClusterName(cluster)
  if (key === undefined) {
    const digest = createHash('sha256').update(`p2p-worker insecure cluster\0${cluster}`).digest('hex')
    return { clusterId: digest.slice(0, 16), psks: [] }
  }
  const keys = 'secret' in key ? [key] : key
  const ids = new Set(keys.map(each => each.clusterId ?? derive(each, cluster, 'cluster id', 8)))
  const [clusterId] = ids
  if (clusterId === undefined) throw new InvalidOptionError('a cluster needs at least one key')
  if (ids.size > 1) {
    throw new InvalidOptionError(
      `these keys are of ${ids.size} different clusters: a key that takes the place of another is made by \`p2p-worker keygen --replace FILE --cluster NAME\``
    )
  }
  const psks = keys.map(each => {
    const swarmKey = `/key/swarm/psk/1.0.0/\n/base16/\n${derive(each, cluster, 'pre-shared key', 32)}`
    return new TextEncoder().encode(swarmKey)
  })
  return { clusterId, psks }
}

function derive({ secret }: ClusterKey, cluster: string, purpose: string, length: number): string {
  if (secret.byteLength !== KEY_BYTES) {
    throw new InvalidOptionError(`the cluster key has ${secret.byteLength} bytes instead of ${KEY_BYTES}`)
  }
  return Buffer.from(hkdfSync('sha256', secret, cluster, `p2p-worker ${purpose}`, length)).toString('hex')
}

/**
 * Returns the mDNS service tag, which is derived from the cluster's name alone. Peers with different keys therefore find each other, and
 * can report that their keys differ.
 */
export function mdnsServiceTag(cluster: string): string {
  return `_p2pw-${createHash('sha256').update(cluster).digest('hex').slice(0, 8)}._udp.local`
}
