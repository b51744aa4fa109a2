/** How client commands find and leave the cluster. */
import type { Client } from '../../api/types.ts'
import { atMost, eitherSignal } from '../../lib/abort.ts'
import type { Telemetry } from '../../telemetry/telemetry.ts'
import { exitCodes } from '../exit-codes.ts'
import { type KeyOptions, keyForClient } from '../keys/key.ts'
import type { ClientFlags } from '../options/flags.ts'
import { type Interruption, onInterruption } from '../terminal/interruption.ts'
import { checkMultiaddrs } from './addresses.ts'
import { createLogger } from './logger.ts'
import { startTraces } from './traces.ts'

/** Closing takes at most this long, in ms: the command is done, and the process ends anyway. */
const CLOSE_MS = 2_000

/** What sends the spans of a client, and ends with it. */
const telemetries = new WeakMap<Client, Telemetry>()

/**
 * Where a client keeps its PeerId. A peer and the clients beside it may share their environment, as in a container: a folder from there that is a
 * peer's is none for a client, which then has a new PeerId.
 */
export async function clientFolder(flags: Pick<ClientFlags, 'dataDir' | 'sharesDataDir'>): Promise<string | undefined> {
  const { dataDir, sharesDataDir } = flags
  if (dataDir === undefined || !sharesDataDir) return dataDir
  const { isPeersFolder } = await import('../../persistence/client-identity.ts')
  return (await isPeersFolder(dataDir)) ? undefined : dataDir
}

/**
 * Looks for the cluster while `check` finds out whether what it is wanted for is right. What is wrong with that is told first, and ends the search.
 */
export async function connectDuring(
  check: () => Promise<unknown>,
  flags: ClientFlags & { json?: boolean },
  signal: AbortSignal
): Promise<Client> {
  const checked = new AbortController()
  const search = eitherSignal(signal, checked.signal)
  const found = findCluster(flags, search.signal, true).then(({ client }) => client)
  // It is awaited below, maybe long after it has failed.
  found.catch(() => {})
  try {
    await check()
    return await found
  } catch (error) {
    checked.abort(error)
    await found.then(closeClient, () => {})
    throw error
  } finally {
    search.release()
  }
}

/** The key is what was read, once: a file may be a pipe, or another one the next time. */
async function findCluster(
  flags: ClientFlags & { json?: boolean },
  signal: AbortSignal,
  needLeader: boolean
): Promise<{ client: Client; key: KeyOptions }> {
  await checkMultiaddrs('--bootstrap', flags.bootstrap)
  const { key, waited } = await keyForClient(flags, flags.cluster, flags.wait, signal)
  const logger = await createLogger(flags)
  const telemetry = await startTraces(flags, logger)
  const dataDir = await clientFolder(flags)
  const { connect } = await import('../../api/client.ts')
  // Of its own, because connect's signal also ends the client later on, which may still have a job to cancel then.
  const connecting = eitherSignal(undefined, signal)
  signal.throwIfAborted()
  try {
    const client = await connect({
      ...key,
      cluster: flags.cluster,
      bootstrap: flags.bootstrap ?? [],
      mdns: flags.mdns,
      wait: Math.max(0, flags.wait - waited),
      needLeader,
      ...(dataDir === undefined ? {} : { dataDir }),
      logger,
      ...(telemetry === undefined ? {} : { tracer: telemetry.tracer }),
      signal: connecting.signal
    })
    if (telemetry !== undefined) telemetries.set(client, telemetry)
    return { client, key }
  } finally {
    connecting.release()
  }
}

export async function closeClient(client: Client): Promise<void> {
  await atMost(client.close(), CLOSE_MS)
  await telemetries.get(client)?.stop()
}

type Use = (client: Client, interruption: Interruption, key: KeyOptions) => Promise<void>

/** For commands that only look: finds the cluster, whether or not it has a leader, shows something of it, and leaves it. */
export function look(flags: ClientFlags & { json?: boolean }, show: Use): Promise<number> {
  return withClient(flags, show, false)
}

/** Finds the cluster, does something with it, and leaves it; resolves with the exit code. */
export async function withClient(
  flags: ClientFlags & { json?: boolean },
  use: Use,
  needLeader = true
): Promise<number> {
  const interruption = onInterruption()
  let client: Client | undefined
  try {
    const found = await findCluster(flags, interruption.signal, needLeader)
    client = found.client
    await use(client, interruption, found.key)
    return interruption.exitCode ?? exitCodes.done
  } catch (error) {
    if (interruption.exitCode === undefined) throw error
    return interruption.exitCode
  } finally {
    if (client !== undefined) await closeClient(client)
  }
}
