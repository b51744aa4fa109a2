/** The commands about keys, identities and data folders. */
import { Argument } from 'commander'
import type { KeygenFlags } from '../commands/keygen.ts'
import { defineCommand } from './define-command.ts'
import { clientOptions, flagsOf, type InviteFlags, jsonOption, option } from './flags.ts'
import { clusterName, nonEmpty } from './options.ts'

export const inviteCommand = defineCommand({
  name: 'invite',
  summary: 'print a token with which other machines join',
  description:
    "Prints one word that holds the cluster's name, its key, and addresses of some of its peers: `p2p-worker join TOKEN` is all that another machine needs. Anyone who has the token may run code on every member, as with the key: send it over a channel that you trust. The token is valid as long as its key. Its addresses are valid as long as the peers have them: without a port in --listen, until they restart.",
  options: [
    option('--offline', 'do not look for the cluster: the token holds only the addresses that --bootstrap gives'),
    jsonOption('print one JSON object: token, cluster, insecure, addresses'),
    ...clientOptions
  ],
  examples: ['p2p-worker invite', 'p2p-worker invite --offline --bootstrap /dns4/seed.example.org/tcp/4001'],
  run: async command => (await import('../commands/invite.ts')).invite(flagsOf<InviteFlags>(command))
})

export const keygenCommand = defineCommand({
  name: 'keygen',
  summary: 'make a key for a cluster',
  description:
    'Prints a new cluster key. Every peer and client of a cluster needs the same key. With --replace the new key can replace another one while the cluster runs.',
  options: [
    option('--replace <file>', 'a file of keys: the new key is for the cluster of the first of them', nonEmpty),
    option('--cluster <name>', 'with --replace: the name of that cluster', clusterName).default('default')
  ],
  examples: [
    'p2p-worker keygen',
    'umask 077; p2p-worker keygen > lab.key',
    'umask 077; p2p-worker keygen --replace lab.key --cluster lab > new.key'
  ],
  async run(command) {
    const { keygen } = await import('../commands/keygen.ts')
    return keygen(command.opts<KeygenFlags>(), command.getOptionValueSource('cluster') === 'cli')
  }
})

export const idCommand = defineCommand({
  name: 'id',
  summary: 'print the PeerId of a data folder',
  description:
    'Prints the PeerId of the peer or client that keeps its identity in a data folder, and makes one where there is none: for --voters, which every peer has to know before the first one starts, and for --allow.',
  options: [option('--data-dir <folder>', "the peer's or client's data folder", nonEmpty).makeOptionMandatory()],
  examples: ['p2p-worker id --data-dir /var/lib/p2p-worker >> voters'],
  run: async command => (await import('../commands/data-dir.ts')).id(command.opts<{ dataDir: string }>())
})

export const backupCommand = defineCommand<string>({
  name: 'backup',
  summary: 'copy the data folder of a peer, also while it runs',
  description:
    "Copies a peer's data folder to a new folder: its identity, and the jobs, locks and states that its log has at that moment. The copy is read again before it appears under its name. It holds the peer's private key, and code and inputs of jobs: keep it as safe as the folder. Before you use a backup in place of the folder, read docs/operations.md: never run two peers with one identity.",
  argument: new Argument('<target>', 'the folder for the copy, which must not exist or be empty'),
  options: [option('--data-dir <folder>', "the peer's data folder", nonEmpty).makeOptionMandatory()],
  examples: ['p2p-worker backup --data-dir /var/lib/p2p-worker /mnt/backup/$(date +%F)'],
  run: async (command, target) => (await import('../commands/data-dir.ts')).backup(target, command.opts())
})

export const acceptLossCommand = defineCommand({
  name: 'accept-loss',
  summary: 'let a voter count again that has lost jobs or promises',
  description:
    'A last resort for a cluster with --voters, when so many data folders are damaged or lost that no majority of whole voters will come back. The voter of this folder then counts with what it has: jobs that were acknowledged may be lost, jobs that have ended may run again, and an epoch may come twice. Stop all voters for a lease time before. docs/operations.md has the steps.',
  options: [
    option('--data-dir <folder>', "the voter's data folder; no peer may use it", nonEmpty).makeOptionMandatory()
  ],
  examples: ['p2p-worker accept-loss --data-dir /var/lib/p2p-worker'],
  run: async command => (await import('../commands/data-dir.ts')).acceptLosses(command.opts<{ dataDir: string }>())
})
