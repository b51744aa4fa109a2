/** Connects the client of a command to the cluster, and closes the client. */
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

/**
 * How long the close of a client may take, in ms. The command is complete at this point, and the process exits in any
 * case.
 */
const CLOSE_MS = 2_000

/** The telemetry of each client, which stops when the client closes. */
const telemetries = new WeakMap<Client, Telemetry>()

/**
 * Returns the folder with the client's PeerId. A peer and its clients may share an environment, as in a container. If
 * the environment names the folder of a peer, the client ignores the folder and gets a new PeerId.
 */
export async function clientFolder(flags: Pick<ClientFlags, 'dataDir' | 'sharesDataDir'>): Promise<string | undefined> {
  const { dataDir, sharesDataDir } = flags
  if (dataDir === undefined || !sharesDataDir) return dataDir
  const { isPeersFolder } = await import('../../persistence/client-identity.ts')
  return (await isPeersFolder(dataDir)) ? undefined : dataDir
}

/**
 * Connects to the cluster while `check` validates the command. An error of `check` ends the search, and is reported
 * instead of an error of the search.
 */
export async function connectDuring(
  check: () => Promise<unknown>,
  flags: ClientFlags & { json?: boolean },
  signal: AbortSignal
): Promise<Client> {
  const checked = new AbortController()
  const search = eitherSignal(signal, checked.signal)
  const found = findCluster(flags, search.signal, true).then(({ client }) => client)
  // The search may fail before this function awaits it. Such a failure must not count as an unhandled rejection.
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

/**
 * Connects to the cluster. The key file is read only one time, because it may be a pipe, or may change before a second
 * read.
 */
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
  // The search has its own signal. The signal of `connect` later also closes the client, which may still have to cancel
  // a job.
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

/**
 * Connects to the cluster with or without a leader, runs `show`, and closes the client. Commands that only read use
 * this function.
 */
export function look(flags: ClientFlags & { json?: boolean }, show: Use): Promise<number> {
  return withClient(flags, show, false)
}

/**
 * Connects to the cluster, runs `use`, and closes the client. Resolves with the exit code.
 *
 * @param check - validates the command before the search for the cluster
 */
export async function withClient(
  flags: ClientFlags & { json?: boolean },
  use: Use,
  needLeader = true,
  check?: (signal: AbortSignal) => Promise<void>
): Promise<number> {
  const interruption = onInterruption()
  let client: Client | undefined
  try {
    await check?.(interruption.signal)
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
