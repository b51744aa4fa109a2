/** The commands that are about who is let in, and their options. */
import { Command } from 'commander'
import type { KeygenFlags } from '../commands/keygen.ts'
import { addClientOptions, example, type Finish, flagsOf, type InviteFlags, jsonOption, option } from './flags.ts'
import { clusterName, nonEmpty } from './options.ts'

export function inviteCommand(finish: Finish): Command {
  const command = new Command('invite')
    .summary('print a token with which other machines join')
    .description(
      "Prints one word that holds the cluster's name, its key, and addresses of some of its peers: `p2p-worker join TOKEN` is all that another machine needs. Whoever has it may run code on every member, as with the key: bring it there by a way that you trust. It is good for as long as its key; its addresses for as long as the peers have them, which without a port in --listen is until they start again."
    )
    .addOption(
      option('--offline', 'do not look for the cluster: the token holds just the addresses that --bootstrap gives')
    )
    .addOption(jsonOption('print one JSON object: token, cluster, insecure, addresses'))
    .addHelpText(
      'after',
      example('p2p-worker invite', 'p2p-worker invite --offline --bootstrap /dns4/seed.example.org/tcp/4001')
    )
  return addClientOptions(command).action(async () => {
    const flags = flagsOf<InviteFlags>(command)
    const { invite } = await import('../commands/invite.ts')
    finish(await invite(flags))
  })
}

export function keygenCommand(finish: Finish): Command {
  const command = new Command('keygen')
    .summary('make a key for a cluster')
    .description(
      'Prints a new cluster key. Every peer and client of a cluster needs the same one. With --replace it is one that can take the place of another while the cluster goes on.'
    )
    .addOption(
      option('--replace <file>', 'a file of keys: the new one is for the same cluster as the first of them', nonEmpty)
    )
    .addOption(option('--cluster <name>', 'with --replace: the name of that cluster', clusterName).default('default'))
    .addHelpText(
      'after',
      example(
        'p2p-worker keygen',
        'umask 077; p2p-worker keygen > lab.key',
        'umask 077; p2p-worker keygen --replace lab.key --cluster lab > new.key'
      )
    )
  return command.action(async () => {
    const { keygen } = await import('../commands/keygen.ts')
    finish(await keygen(command.opts<KeygenFlags>(), command.getOptionValueSource('cluster') === 'cli'))
  })
}

export function idCommand(finish: Finish): Command {
  const command = new Command('id')
    .summary('print the PeerId of a data folder')
    .description(
      'Prints the PeerId of the peer, or of the clients, that keep their identity in a data folder, and makes one where there is none: for --voters, which every peer has to know before the first one starts, and for --allow.'
    )
    .addOption(option('--data-dir <folder>', "the peer's or client's data folder", nonEmpty).makeOptionMandatory())
    .addHelpText('after', example('p2p-worker id --data-dir /var/lib/p2p-worker >> voters'))
  return command.action(async () => {
    const { id } = await import('../commands/id.ts')
    finish(await id(command.opts<{ dataDir: string }>()))
  })
}
