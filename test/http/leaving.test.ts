import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { JoinFlags } from '../../src/cli/options/flags.ts'
import { startPeer } from '../../src/cli/peers/start-peer.ts'
import { type Answer, ask } from './served.ts'

let home: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  vi.stubEnv('P2P_WORKER_HOME', home)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
})

afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(home, { recursive: true, force: true })
})

it('a peer that begins to leave the cluster reports this at /readyz, and its HTTP API stops even if leave() rejects', async () => {
  const flags: JoinFlags = {
    ...{ cluster: `leaving-${process.pid}`, insecure: true, mdns: false, listen: ['/ip4/127.0.0.1/tcp/0'] },
    ...{
      role: 'auto',
      election: 'bully',
      electionPriority: 0,
      profile: 'local',
      maxPayloadMb: 1,
      isolation: 'thread',
      preempt: true
    },
    http: { port: 0 }
  }
  const { peer, http, leave } = await startPeer(flags, new AbortController().signal, false)
  const { url } = http!
  expect(await readdir(join(home, 'http'))).toHaveLength(1)
  const left = peer.leave.bind(peer)
  let meanwhile: Answer | undefined
  vi.spyOn(peer, 'leave').mockImplementation(async () => {
    meanwhile = await ask(url, '/readyz')
    await left()
    throw new RangeError('a part of it did not stop well')
  })
  // leave() rejects only after all other parts have stopped.
  await expect(leave()).rejects.toThrow('did not stop well')
  expect(meanwhile?.json).toEqual({ status: 'not ready', reason: 'it is leaving' })
  await expect(ask(url, '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(await readdir(join(home, 'http'))).toEqual([])
})
