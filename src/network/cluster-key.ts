import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { InvalidOptionError } from '../errors.ts'

const KEY_BYTES = 32

/** A new cluster key: 32 random bytes as 43 characters of base64url. */
export function generateClusterKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}

/**
 * Reads a key as {@link generateClusterKey} writes it.
 *
 * @throws InvalidOptionError, which never holds the key
 */
export function parseClusterKey(text: string): Uint8Array {
  const trimmed = text.trim()
  const wrong = (what: string) =>
    new InvalidOptionError(`the cluster key ${what}; a key is 43 characters of A-Z a-z 0-9 - _, as keygen prints it`)
  if (!/^[A-Za-z0-9_-]*$/.test(trimmed)) throw wrong('holds characters that are not base64url')
  if (trimmed.length !== 43) throw wrong(`has ${trimmed.length} characters instead of 43`)
  const bytes = Buffer.from(trimmed, 'base64url')
  // The last character carries 4 bits of the key; other trailing bits mean a damaged copy, not another spelling.
  if (bytes.toString('base64url') !== trimmed) throw wrong('is damaged at its end')
  return new Uint8Array(bytes)
}

/** @throws InvalidOptionError */
export function checkClusterName(cluster: string): void {
  if (!/^[A-Za-z0-9._-]{1,63}$/.test(cluster)) {
    throw new InvalidOptionError(
      `the cluster name ${JSON.stringify(cluster.slice(0, 80))} is not 1 to 63 characters of A-Z a-z 0-9 . _ -`
    )
  }
}

/** What a cluster's name and key become on the wire. */
export interface ClusterIdentity {
  /** 16 hex digits that stand for the cluster in protocol ids, topics and signatures; reveals nothing of the key. */
  clusterId: string
  /** The libp2p swarm key file for `@libp2p/pnet`; undefined for an insecure cluster. */
  psk: Uint8Array | undefined
}

/**
 * Derives both from the name and the key (HKDF-SHA256, RFC 5869), so that the same key under another name is another
 * cluster. Without a key the id comes from the name alone.
 */
export function clusterIdentity(cluster: string, key: Uint8Array | undefined): ClusterIdentity {
  checkClusterName(cluster)
  if (key === undefined) {
    const digest = createHash('sha256').update(`p2p-worker insecure cluster\0${cluster}`).digest('hex')
    return { clusterId: digest.slice(0, 16), psk: undefined }
  }
  if (key.byteLength !== KEY_BYTES) {
    throw new InvalidOptionError(`the cluster key has ${key.byteLength} bytes instead of ${KEY_BYTES}`)
  }
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, cluster, `p2p-worker ${purpose}`, length)).toString('hex')
  const swarmKey = `/key/swarm/psk/1.0.0/\n/base16/\n${derive('pre-shared key', 32)}`
  return { clusterId: derive('cluster id', 8), psk: new TextEncoder().encode(swarmKey) }
}

/**
 * The mDNS service tag. It comes from the name alone, not from the key: peers with a wrong key find each other and can
 * say that the key was wrong.
 */
export function mdnsServiceTag(cluster: string): string {
  return `_p2pw-${createHash('sha256').update(cluster).digest('hex').slice(0, 8)}._udp.local`
}
