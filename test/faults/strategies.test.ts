import { afterAll, beforeAll, expect, it } from 'vitest'
import { STRATEGIES } from '../../src/election/core/strategies/names.ts'
import { ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

for (const strategy of STRATEGIES)
  needs('hosts').describe(`five peers on five hosts that elect by ${strategy}`, () => {
    let hosts: Hosts
    let cluster: ProcessCluster

    beforeAll(async () => {
      hosts = await Hosts.create(5)
      cluster = await ProcessCluster.create({ strategy })
      for (const host of [0, 1, 2, 3, 4]) {
        cluster.join(['--listen', `/ip4/${hosts.address(host)}/tcp/4001`], { wrap: hosts.wrap(host) })
        await cluster.peers[host]!.ready()
      }
      await cluster.settled()
    })

    afterAll(async () => {
      await cluster?.stop()
      await hosts?.stop()
    })

    it('each side of a cut has a leader, and after the cut all peers follow the highest with an epoch above both', async () => {
      const ranked = cluster.byRank()
      const sides = [cluster.peers.slice(0, 3), cluster.peers.slice(3)]
      hosts.cut(3, 4)
      await Promise.all(
        sides.flatMap(side => {
          const leader = ranked.find(peer => side.includes(peer))!
          return side.map(peer => peer.follows(leader.id))
        })
      )
      const epochs = cluster.peers.map(peer => peer.epoch!)
      hosts.heal()
      await cluster.settled()
      expect(Math.min(...cluster.peers.map(peer => peer.epoch!))).toBeGreaterThan(Math.max(...epochs))
    })
  })
