/**
 * The lease in etcd (Debian: etcd-server; version 3.4 or later). Three keys below a prefix: `leader`, with etcd's lease, holds the session;
 * `heir` reserves the lease; `record` outlives both. Each change is one transaction.
 *
 * A renewal moves the key to a new lease of etcd, in a transaction. A keep-alive would be cheaper, but before etcd 3.4.29 and 3.5.12 a
 * member that no longer leads may answer one (https://github.com/etcd-io/etcd/pull/16822), and then two peers could hold the lease.
 */
import type { LeaseState, LeaseStore } from '../store/lease-store.ts'
import {
  decode,
  type EtcdAddress,
  type EtcdAnswer,
  EtcdClient,
  encode,
  type KeyValue,
  type TransactionAnswer
} from './etcd-client.ts'

export interface EtcdLeaseOptions extends EtcdAddress {
  /** The prefix of the keys, without a slash at its end. Peers of one cluster have the same prefix. */
  prefix: string
}

/** etcd keeps no lease for a shorter time than one and a half times its election timeout, which is 1 s by default. */
const LEAST_MS = 2_000
const USUAL_MS = 5_000
/** The most sessions that a client remembers. */
const MOST_SESSIONS = 8
/** The interval at which a watch looks whether its connection still lives, in ms. */
const LOOK_MS = 2_000

/** Returns a store in etcd. */
export function etcdLease({ prefix, ...address }: EtcdLeaseOptions): LeaseStore {
  const client = new EtcdClient(address)
  const keys = { leader: `${prefix}/leader`, heir: `${prefix}/heir`, record: `${prefix}/record` }
  /** What this client has written as `leader`, by session: the value, etcd's lease of it, and the revision of this change. */
  const held = new Map<string, { value: string; lease: string; revision: string }>()

  interface Present {
    leader: KeyValue | undefined
    heir: KeyValue | undefined
    record: KeyValue | undefined
    revision: string
  }

  async function present(signal: AbortSignal): Promise<Present> {
    const all = { key: encode(`${prefix}/`), range_end: encode(`${prefix}0`) }
    const { kvs = [], header } = await client.ask<EtcdAnswer>('kv/range', all, signal)
    const find = (key: string): KeyValue | undefined => kvs.find(kv => kv.key === encode(key))
    return { leader: find(keys.leader), heir: find(keys.heir), record: find(keys.record), revision: header.revision }
  }

  const grant = async (leaseTime: number, signal: AbortSignal): Promise<string> => {
    const { ID } = await client.ask<{ ID: string }>('lease/grant', { TTL: Math.ceil(leaseTime / 1_000) }, signal)
    return ID
  }

  /** Removes a lease of etcd that no longer has a key. If this fails, the lease ends by itself. */
  const drop = (lease: string | undefined, signal: AbortSignal): void => {
    if (lease !== undefined) client.ask('lease/revoke', { ID: lease }, signal).catch(() => {})
  }

  const put = (key: string, value: string, lease?: string): object => ({
    request_put: { key: encode(key), value: encode(value), ...(lease !== undefined && { lease }) }
  })
  const remove = (key: string): object => ({ request_delete_range: { key: encode(key) } })
  const isUnchanged = (key: string, kv: KeyValue | undefined): object => ({
    key: encode(key),
    target: 'MOD',
    result: 'EQUAL',
    mod_revision: kv?.mod_revision ?? '0'
  })
  const isHeldBy = (value: string): object => ({
    key: encode(keys.leader),
    target: 'VALUE',
    result: 'EQUAL',
    value: encode(value)
  })

  const commit = async (compare: object[], success: object[], signal: AbortSignal): Promise<TransactionAnswer> =>
    await client.ask<TransactionAnswer>('kv/txn', { compare, success }, signal)

  return {
    name: 'etcd',
    leastLeaseTime: LEAST_MS,
    usualLeaseTime: USUAL_MS,

    async acquire({ holder, session, leaseTime, record, signal }) {
      const value = JSON.stringify([session, holder])
      for (;;) {
        const before = await present(signal)
        const isTaken = before.leader !== undefined && decode(before.leader.value) !== value
        if (isTaken || (before.heir !== undefined && decode(before.heir.value) !== holder)) return undefined
        const next = record(before.record && decode(before.record.value))
        const lease = await grant(leaseTime, signal)
        const compare = (['leader', 'heir', 'record'] as const).map(name => isUnchanged(keys[name], before[name]))
        const changes = [
          put(keys.leader, value, lease),
          put(keys.record, next),
          ...(before.heir ? [remove(keys.heir)] : [])
        ]
        // If the answer is lost, this client can still release what it may have got.
        held.set(session, { value, lease, revision: '0' })
        for (const old of [...held.keys()].slice(0, -MOST_SESSIONS)) held.delete(old)
        const { succeeded, header } = await commit(compare, changes, signal)
        drop(succeeded === true ? before.leader?.lease : lease, signal)
        if (succeeded !== true) continue
        held.set(session, { value, lease, revision: header.revision })
        return { record: next, number: header.revision }
      }
    },

    async renew({ session, leaseTime, record, signal }) {
      signal.throwIfAborted()
      let own = held.get(session)
      if (own === undefined) return false
      const lease = await grant(leaseTime, signal)
      for (;;) {
        const before = record && (await present(signal)).record
        // The revision, not the value: a renewal that etcd carries out late must not move the key back to an older lease.
        const isOwn = { key: encode(keys.leader), target: 'MOD', result: 'EQUAL', mod_revision: own.revision }
        const compare = [isOwn, ...(record ? [isUnchanged(keys.record, before)] : [])]
        const next = record && before && put(keys.record, record(decode(before.value)))
        const changes = [put(keys.leader, own.value, lease), ...(next ? [next] : [])]
        const { succeeded, header } = await commit(compare, changes, signal)
        if (succeeded === true) {
          drop(own.lease, signal)
          held.set(session, { value: own.value, lease, revision: header.revision })
          return true
        }
        const { leader } = await present(signal)
        if (leader === undefined || decode(leader.value) !== own.value) {
          held.delete(session)
          drop(lease, signal)
          return false
        }
        own = { value: own.value, lease: leader.lease ?? own.lease, revision: leader.mod_revision }
      }
    },

    async transfer({ session, heir, leaseTime, signal }) {
      const own = held.get(session)
      if (own === undefined) return
      held.delete(session)
      const lease = await grant(leaseTime, signal)
      const { succeeded } = await commit(
        [isHeldBy(own.value)],
        [remove(keys.leader), put(keys.heir, heir, lease)],
        signal
      )
      drop(succeeded === true ? own.lease : lease, signal)
    },

    async release({ session, signal }) {
      const own = held.get(session)
      if (own === undefined) return
      held.delete(session)
      await commit([isHeldBy(own.value)], [remove(keys.leader)], signal)
      drop(own.lease, signal)
    },

    async *watch({ signal }) {
      const over = new AbortController()
      const stop = (): void => over.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      try {
        const first = await present(signal)
        yield stateOf(first)
        const all = {
          key: encode(`${prefix}/`),
          range_end: encode(`${prefix}0`),
          start_revision: String(BigInt(first.revision) + 1n)
        }
        const events = client.follow<{ result?: { events?: unknown[] } }>('watch', { create_request: all }, over.signal)
        const next = () => {
          const coming = events.next()
          // The watch may end while nobody waits for its next event.
          coming.catch(() => {})
          return coming
        }
        for (let coming = next(); !signal.aborted; ) {
          const answer = await Promise.race([coming, after(LOOK_MS)])
          if (answer?.done === true) throw new Error('etcd has ended the watch')
          if (answer !== undefined) coming = next()
          // Without an event this finds out whether etcd still answers.
          const state = await present(signal)
          if (answer === undefined || answer.value.result?.events !== undefined) yield stateOf(state)
        }
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        signal.removeEventListener('abort', stop)
        over.abort()
      }
    }
  }
}

async function after(ms: number): Promise<undefined> {
  await new Promise(resolve => setTimeout(resolve, ms).unref())
}

function stateOf({
  leader,
  heir,
  record
}: { [name in 'leader' | 'heir' | 'record']: KeyValue | undefined }): LeaseState {
  const [, holder] = leader === undefined ? [] : (JSON.parse(decode(leader.value)) as [string, string])
  return { holder, heir: heir && decode(heir.value), record: record && decode(record.value), endsIn: undefined }
}
