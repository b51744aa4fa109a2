import type { Peer } from '../../api/types.ts'
import type { HttpServer } from '../../http/server.ts'
import { stopEach } from '../../lib/stop-each.ts'
import { keyForJoin, type PeerKeys } from '../keys/key.ts'
import { readAllowFile } from '../options/allow-file.ts'
import type { JoinFlags } from '../options/flags.ts'
import { paint, say } from '../terminal/output.ts'
import { checkMultiaddrs } from './addresses.ts'
import { startHttp } from './http.ts'
import { createLogger } from './logger.ts'
import { reloading, warnIfUnlisted } from './reload.ts'
import { tellKey } from './tell-key.ts'
import { startTraces } from './traces.ts'

export interface StartedPeer {
  peer: Peer
  /** Leaves the cluster, and then sends the last spans. */
  leave(): Promise<void>
  /** Rereads the keys and the allow list; undefined if there is no file to read. */
  reload: (() => Promise<void>) | undefined
  /** The HTTP server; undefined without `--http`. The caller stops the server after the peer has left. */
  http: HttpServer | undefined
}

/**
 * Starts the peer that the options describe. Prints a message if the key of the peer was created or saved.
 *
 * @param isReporting - whether the log reports the events of the cluster by default
 */
export async function startPeer(flags: JoinFlags, signal: AbortSignal, isReporting: boolean): Promise<StartedPeer> {
  await checkMultiaddrs('--listen', flags.listen)
  await checkMultiaddrs('--bootstrap', flags.bootstrap)
  const rules = flags.allow === undefined ? undefined : await readAllowFile(flags.allow)
  const { generateClusterKey } = await import('../../network/cluster-key.ts')
  const keys = await keyForJoin(flags, flags.cluster, generateClusterKey)
  const { options: key, source } = keys
  if ('insecure' in key) shout()
  tellAdoption(flags.cluster, keys)
  const level = isReporting ? 'info' : 'warn'
  const logger = await createLogger(flags, { level, isLong: true })
  const telemetry = await startTraces(flags, logger)
  const { join } = await import('../../api/peer.ts')
  const starting = await startHttp(flags)
  const peer = await join({
    ...key,
    cluster: flags.cluster,
    listen: flags.listen,
    bootstrap: flags.bootstrap ?? [],
    mdns: flags.mdns,
    slots: flags.slots,
    role: flags.role,
    election: flags.election,
    electionPriority: flags.electionPriority,
    tags: flags.tag ?? {},
    profile: flags.profile,
    maxPayloadMb: flags.maxPayloadMb,
    external: flags.external ?? [],
    ...(rules === undefined ? {} : { allow: rules }),
    ...(flags.limit === undefined ? {} : { limits: flags.limit }),
    isolation: flags.isolation,
    ...(flags.taskEnv === undefined ? {} : { taskEnvironment: flags.taskEnv }),
    ...(flags.maxHeapMb === undefined ? {} : { maxHeapMb: flags.maxHeapMb }),
    ...(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir }),
    ...(flags.journalMb === undefined ? {} : { journalMb: flags.journalMb }),
    ...(flags.recoverWait === undefined ? {} : { recoverWait: flags.recoverWait }),
    ...(flags.voters === undefined ? {} : { voters: flags.voters }),
    ...(flags.leaseTime === undefined ? {} : { leaseTime: flags.leaseTime }),
    preempt: flags.preempt,
    ...(starting === undefined ? {} : { metrics: starting.metrics.libp2p }),
    logger,
    ...(telemetry === undefined ? {} : { tracer: telemetry.tracer }),
    signal
  }).catch(async (error: unknown) => {
    await starting?.close()
    throw error
  })
  const http = await starting?.serve(peer, logger).catch(async (error: unknown) => {
    await peer.leave()
    throw error
  })
  // The peer leaves when this signal aborts, so the HTTP server prepares for its end.
  if (signal.aborted) http?.drain()
  else signal.addEventListener('abort', () => http?.drain(), { once: true })
  if (keys.made !== undefined) tellKey(peer, keys.made)
  warnIfUnlisted(peer, rules)
  const read = { keys: 'key' in key ? [key.key].flat() : [], rules }
  const leave = async (): Promise<void> => {
    // A leave may begin before the signal aborts, for example when the command of `lead` ends.
    http?.drain()
    await stopEach([() => peer.leave(), async () => await http?.stop(), async () => await telemetry?.stop()])
  }
  return { peer, leave, reload: reloading(peer, { keys: source, allow: flags.allow }, read), http }
}

/** Prints how a token changed this machine's saved key; prints nothing when the key is unchanged. */
function tellAdoption(cluster: string, { adoption }: PeerKeys): void {
  if (adoption === undefined) return
  const { file, saved, kept, problem } = adoption
  if (problem !== undefined) {
    say(
      `warning: the token's key cannot be saved in ${file} (${problem}): other commands on this machine need the token, too`
    )
  } else if (saved === 'new') {
    say(`The token's key is saved in ${file}: other commands of this user need no token for cluster ${cluster}.`)
  } else if (saved === 'instead') {
    say(
      `The token's key is saved in ${file}: for all commands of this user, ${cluster} is now the cluster of the token. The key of the other cluster with this name moved to ${kept}.`
    )
  } else if (saved === 'other') {
    say(
      `warning: the token's key is not among those saved in ${file}, which are of the same cluster, so it is not saved: this peer dials with it, and lets it in, for this run only. Most likely the token is from before a change of the key: then join without it, or with one that \`p2p-worker invite\` prints now. If it is this machine that has an old key, delete ${file} and join by the token again, which saves its key.`
    )
  }
}

function shout(): void {
  say(
    paint(
      'bad',
      'WARNING: --insecure: this peer has no key. ANYONE WHO REACHES ITS PORT IS IN, AND MAY RUN CODE ON THIS MACHINE.'
    )
  )
}
