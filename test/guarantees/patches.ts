/**
 * For each row of docs/guarantees.md: a small change of the source that breaks the promise of the row, and the fastest test of the row, which must
 * then fail.
 */
import type { Patch } from './patch.ts'

interface PatchOfMany extends Patch {
  /** Further tests that must notice the fault. */
  also?: Patch['test'][]
}

const JOBS: PatchOfMany[] = [
  {
    row: 'Exact result.',
    file: 'src/jobs/scheduler/chunk-table.ts',
    find: 'return first < end && end <= this.#firstMissing ? end : undefined',
    replace: 'return first < end && end <= this.#firstMissing + 1 ? end : undefined',
    test: {
      path: 'test/simulation/cluster.test.ts',
      title: 'whole peers end all jobs with the same results as a plain loop, whichever faults occur'
    }
  },
  {
    row: 'An accepted job is not lost',
    file: 'src/journal/core/standbys.ts',
    find: 'const STANDBYS = 2\n',
    replace: 'const STANDBYS = 1\n',
    test: {
      path: 'test/jobs/jobs.test.ts',
      title: 'the leader acknowledges a job only after two other peers store the job'
    },
    testTimeout: 15_000,
    also: [
      {
        path: 'test/jobs/acknowledged.test.ts',
        title:
          'the leader does not acknowledge a job while one of the two other live peers does not answer, even after a minute'
      }
    ]
  },
  {
    row: "A worker's death costs its chunks alone",
    file: 'src/jobs/scheduler/rules.ts',
    find: 'requeues: (isElsewhere: boolean) => !isElsewhere',
    replace: 'requeues: () => false',
    test: { path: 'test/jobs/jobs.test.ts', title: 'the leader gives the chunks of a dead worker to other workers' },
    testTimeout: 15_000
  },
  {
    row: "A leader's death costs what it alone had",
    file: 'src/jobs/scheduler/rules.ts',
    find: 'acceptsOffers: () => true',
    replace: 'acceptsOffers: () => false',
    test: {
      path: 'test/jobs/jobs.test.ts',
      title: 'the next leader computes no chunk again that a worker has computed or is running'
    },
    testTimeout: 15_000,
    also: [
      {
        path: 'test/cluster/jobs-survive.test.ts',
        title:
          'a job ends with the same result when the leader is killed, and no live peer computes one of its chunks twice'
      }
    ]
  },
  {
    row: 'Leaving and taking over cost nothing',
    file: 'src/jobs/worker/worker-core.ts',
    find: '      if (this.#jobs.size === 0) this.#dismissed.resolve()\n    }\n    return this.#dismissed.promise',
    replace: '      this.#dismissed.resolve()\n    }\n    return this.#dismissed.promise',
    test: {
      path: 'test/jobs/jobs.test.ts',
      title: 'a leaving leader completes its running chunks, and delivers their partials to the next leader'
    },
    testTimeout: 15_000,
    also: [
      {
        path: 'test/cluster/jobs-survive.test.ts',
        title:
          'a job ends with the same result when the leader leaves and when a higher-ranked peer takes over, without computing a chunk twice'
      }
    ]
  },
  {
    row: 'A job outlives its client',
    file: 'src/jobs/leader/leader-job.ts',
    find: 'const ORPHAN_MS = 10_000\n',
    replace: 'const ORPHAN_MS = 5_000\n',
    test: { path: 'test/jobs/jobs.test.ts', title: 'a job is cancelled when its client has been gone for ten seconds' },
    testTimeout: 30_000
  },
  {
    row: 'One id, one job',
    file: 'src/jobs/protocol/submit-messages.ts',
    find: 'return a.sha256 === b.sha256 && a.inputSha256 === b.inputSha256',
    replace: 'return a.sha256 === b.sha256',
    test: {
      path: 'test/jobs/jobs.test.ts',
      title: 'an equal submission under the id of a running job joins the job, and a different submission is refused'
    },
    testTimeout: 15_000
  },
  {
    row: 'A stream gives each result once',
    file: 'src/jobs/client/unordered-results.ts',
    find: '      if (index < this.arrivedBefore || this.#beyond.has(index)) continue\n',
    replace: '',
    test: {
      path: 'test/jobs/client/unordered-results.test.ts',
      title: 'the reader of an unordered stream gets each result once, in the order of arrival'
    }
  },
  {
    row: 'Partials are read in order, each once',
    file: 'src/jobs/client/partial-stream.ts',
    find: 'unpack(partials).slice(this.arrivedBefore - first)',
    replace: 'unpack(partials)',
    test: {
      path: 'test/jobs/client/partials.test.ts',
      title:
        'the client gets each partial exactly one time, although the first leader dies and a third leader replaces the second leader'
    },
    testTimeout: 20_000
  },
  {
    row: 'A slow chunk does not hold up its job',
    file: 'src/jobs/scheduler/speculation.ts',
    find: 'if (!job.terms.speculate || !knowsUsual(job, workers)) continue',
    replace: 'if (job.terms.speculate || !knowsUsual(job, workers)) continue',
    test: {
      path: 'test/jobs/jobs.test.ts',
      title: 'the leader starts a slow chunk again at another peer, and cancels the first copy'
    },
    testTimeout: 15_000,
    also: [
      {
        path: 'test/cluster/jobs-survive.test.ts',
        title:
          'a job does not wait for a chunk that never ends: another peer computes that chunk, and the first copy is terminated'
      }
    ]
  },
  {
    row: 'A command of `map --exec` ends with its peer',
    file: 'src/exec/command-server.ts',
    find: "abort.abort(new Error('its peer has ended it'))",
    replace: 'void abort',
    test: {
      path: 'test/cluster/map.test.ts',
      title: 'map ends the command of a killed peer, and runs the command on another peer'
    },
    testTimeout: 60_000
  },
  {
    row: 'A chunk ends after `chunkTimeout`',
    file: 'src/tasks/execute/batch.ts',
    find: 'const isLate = chunkTimeout !== undefined && performance.now() - this.#running.since > chunkTimeout',
    replace: 'const isLate = chunkTimeout !== undefined && this.#running.since > performance.now()',
    test: {
      path: 'test/tasks/execute/stop-chunk.test.ts',
      title: 'only the chunk that exceeds chunkTimeout fails, and each other chunk runs exactly once (%s)'
    },
    testTimeout: 20_000
  },
  {
    row: '`retries` are tried elsewhere',
    file: 'src/jobs/scheduler/scheduled-job.ts',
    find: 'this.chunks.requeue(index, share.worker)',
    replace: 'this.chunks.requeue(index)',
    test: {
      path: 'test/jobs/jobs.test.ts',
      title: 'when a chunk throws at one peer, the leader retries the chunk at another peer'
    },
    testTimeout: 15_000
  },
  {
    row: 'A deadly chunk takes two peers at most',
    file: 'src/jobs/scheduler/lost-workers.ts',
    find: 'rules.deadPeers(losses) >= 2',
    replace: 'rules.deadPeers(losses) >= 3',
    test: {
      path: 'test/cluster/deadly-chunk.test.ts',
      title:
        'a chunk that ends its process takes down two peers; then the job fails with the reason, and the cluster continues'
    }
  },
  {
    row: 'A thread that runs out of heap fails its chunk alone',
    file: 'src/tasks/execute/thread-pool.ts',
    find: "(error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'",
    replace: "(error as NodeJS.ErrnoException).code === 'none'",
    test: {
      path: 'test/cluster/bad-tasks.test.ts',
      title:
        'a job fails when a chunk runs out of memory: the error names the chunk and the memory limit, and the peer of the chunk continues'
    }
  },
  {
    row: 'What is too large fails, and says where',
    file: 'src/jobs/protocol/payload-limit.ts',
    find: 'if (bytes <= maxPayloadMb * MIB) return undefined',
    replace: 'if (bytes <= 2 * maxPayloadMb * MIB) return undefined',
    test: {
      path: 'test/cluster/too-large.test.ts',
      title: 'a job whose input exceeds the payload limit fails'
    }
  },
  {
    row: 'Cancel reaches all',
    file: 'src/jobs/worker/worker-core.ts',
    find: '    for (const batch of job.batches) batch.stop(reason)\n',
    replace: '    if (this.#stopped) for (const batch of job.batches) batch.stop(reason)\n',
    test: {
      path: 'test/jobs/detached.test.ts',
      title: 'when the leader dies before it receives the cancel of a client, the next leader cancels the job'
    },
    testTimeout: 15_000,
    also: [
      {
        path: 'test/cluster/jobs-survive.test.ts',
        title:
          'a job is cancelled by Ctrl-C: the client exits 130, endless chunks are terminated, and no other chunk begins'
      }
    ]
  }
]

const MEMBERSHIP: PatchOfMany[] = [
  {
    row: 'A process that dies is known to be dead at once',
    file: 'src/membership/core/rules.ts',
    find: 'if (accusers.size >= 2) return true',
    replace: 'if (accusers.size >= 20) return true',
    test: {
      path: 'test/simulation/membership.test.ts',
      title: 'when several peers crash at once, every remaining peer declares them dead within 50 ms'
    },
    also: [
      {
        path: 'test/cluster/three-peers.test.ts',
        title: 'peers declare a killed peer dead sooner than the shortest suspicion of a silent peer'
      }
    ]
  },
  {
    row: 'A silent member is dead',
    file: 'src/membership/core/suspicion.ts',
    find: 'this.#suspicions.set(id, { since: now, deadline: now + timeout, grace: 0 })',
    replace: 'this.#suspicions.set(id, { since: now, deadline: now + timeout / 10, grace: 0 })',
    test: {
      path: 'test/cluster/paused.test.ts',
      title:
        'two peers declare a third dead after a long pause and alive soon after it resumes, and the paused peer accuses no peer'
    }
  },
  {
    row: 'A cut cluster finds itself again',
    file: 'src/membership/core/rules.ts',
    find: "return incoming.state === 'alive' && incoming.incarnation === current.incarnation",
    replace: "return incoming.state === 'alive' && current.state === 'alive'",
    test: {
      path: 'test/faults/cut.test.ts',
      title: 'the two sides of a cut reunite soon after the cut, even if each side has declared the other side dead'
    }
  },
  {
    row: 'Nobody speaks for another',
    file: 'src/membership/record-signer.ts',
    find: 'if (!verifies(authorOf(record), this.#signedBytes(payload), signature)) {',
    replace: 'if (signature.length === 0) {',
    test: {
      path: 'test/cluster/forgers.test.ts',
      title: 'peers refuse and count %s, and no peer is harmed'
    },
    only: 'a record that another member has left, signed with the key of the forger',
    testTimeout: 30_000
  },
  {
    row: 'A short pause kills nobody',
    file: 'src/membership/core/stall-detector.ts',
    find: '    return lost\n',
    replace: '    return 0\n',
    test: {
      path: 'test/simulation/membership.test.ts',
      title: 'a paused peer never suspects a peer that was never paused'
    }
  },
  {
    row: 'All come to agree',
    file: 'src/membership/core/rules.ts',
    find: 'return swimRules.counts(accusation, own)',
    replace: 'return swimRules.counts(accusation, own) && own.incarnation === 0',
    test: {
      path: 'test/simulation/membership.test.ts',
      title: 'every view keeps its invariants at every moment, and all members agree in time after the faults end'
    }
  },
  {
    row: 'The cost of a member does not grow',
    file: 'src/membership/core/neighbours.ts',
    find: 'const RINGS = 8\n',
    replace: 'const RINGS = 12\n',
    test: {
      path: 'test/membership/neighbours.test.ts',
      title:
        'above the full-mesh limit a member has at least two and at most 16 neighbours, however large the cluster is'
    }
  }
]

const LEADERSHIP: PatchOfMany[] = [
  {
    row: 'In the end one leads, the highest that may',
    file: 'src/election/core/rules.ts',
    find: 'waitsForHigher: (hasDeclined: boolean) => !hasDeclined',
    replace: 'waitsForHigher: (_hasDeclined: boolean) => false',
    test: {
      path: 'test/simulation/election.test.ts',
      title: 'above SWIM, elections stay safe under faults and settle on the highest-ranked peer'
    }
  },
  {
    row: 'Nobody follows an older leadership',
    file: 'src/election/core/rules.ts',
    find: 'nextEpoch: (newest: number) => newest + 1',
    replace: 'nextEpoch: (newest: number) => Math.max(1, newest)',
    test: {
      path: 'test/election/core/claiming.test.ts',
      title: 'a restarted peer that is alone claims an epoch above the epochs of its earlier runs'
    }
  },
  {
    row: 'A leader that lives is not replaced without its own word',
    file: 'src/election/core/rules.ts',
    find: 'goAheads.some(',
    replace: '[...goAheads, { from: accepted.leader, fromEpoch: accepted.epoch, to: leader }].some(',
    test: {
      path: 'test/election/core/accepting.test.ts',
      title:
        'a follower of a live leader refuses a rival without a go-ahead, and keeps reporting the rival to its leader'
    }
  },
  {
    row: 'With voters at most one leads',
    file: 'src/election/quorum/lease.ts',
    find: 'needed: (voters: number) => majority(voters)',
    replace: 'needed: (_voters: number) => 1',
    test: {
      path: 'test/simulation/quorum.test.ts',
      title:
        'under a quorum at most one peer leads and works at any moment, and after the faults the highest-ranked connected voter leads'
    }
  },
  {
    row: 'A damaged or old folder of a voter does no harm',
    file: 'src/persistence/log/key-value-log.ts',
    find: 'if (this.#damage.isCut || !this.#found.isIn(this.#noted())) this.#markLoss()',
    replace: '',
    test: {
      path: 'test/cluster/damaged-voter.test.ts',
      title:
        'elects nobody and denies no job together with a voter that was away, until one returns that has lost nothing'
    }
  },
  {
    row: "With voters an epoch is one leader's",
    file: 'src/election/quorum/voter.ts',
    find: 'epoch < promised.epoch || (epoch === promised.epoch && holder !== promised.holder)',
    replace: 'holder === "" && epoch < promised.epoch',
    test: {
      path: 'test/election/quorum/lease.test.ts',
      title:
        'two peers never hold the lease at the same time, and no epoch has two holders, even if messages are lost or late and peers restart'
    }
  },
  {
    row: 'With voters nobody leads without a majority',
    file: 'src/election/quorum/lease.ts',
    find: 'this.#rules.needed(this.#terms.voters.length)',
    replace: '1',
    test: {
      path: 'test/cluster/voters.test.ts',
      title:
        'a cluster with voters has no leader without a majority, reports why, and has a leader again when a voter returns'
    },
    testTimeout: 40_000
  },
  {
    row: 'Leader-only work is gone before it begins elsewhere',
    file: 'src/lead/duty.ts',
    find: 'isOver: (remaining: number) => remaining <= 0',
    replace: 'isOver: (_remaining: number) => false',
    test: {
      path: 'test/simulation/quorum.test.ts',
      title:
        'under a quorum at most one peer leads and works at any moment, and after the faults the highest-ranked connected voter leads'
    }
  },
  {
    row: 'A lock has at most `limit` holders',
    file: 'src/locks/core/rules.ts',
    find: 'inheritedEndsAt: (now: number, ttl: number) => now + ttl',
    replace: 'inheritedEndsAt: (now: number, _ttl: number) => now',
    test: {
      path: 'test/simulation/locks.test.ts',
      title:
        'under a quorum no lock has more holders than its limit at any moment, tokens grow, those who wait are served in order, and after the faults every peer gets every lock'
    }
  },
  {
    row: 'Those who wait for a lock are served in order',
    file: 'src/locks/core/rules.ts',
    find: 'order: (a: Ticket, b: Ticket) => compareTickets(a, b)',
    replace: 'order: (a: Ticket, b: Ticket) => compareTickets(b, a)',
    test: {
      path: 'test/api/locks.test.ts',
      title: 'those who wait get a lock in the order in which they came'
    }
  },
  {
    row: 'The token of a lock grows',
    file: 'src/locks/core/rules.ts',
    find: 'Math.max(last + 1, Math.floor(wall))',
    replace: 'Math.floor(wall)',
    test: { path: 'test/locks/lock-table.test.ts', title: 'gives larger tokens, even if its wall clock is set back' }
  }
]

/** The simulation of schedules, which shows several rows. */
const SCHEDULES_WORLDS = {
  path: 'test/simulation/schedules.test.ts',
  title:
    'under voters a due time has at most one job, each due time has a job or is counted as skipped, due times fire in order and one after the other, and a leader whose clock is wrong fires none'
}

const SCHEDULES: PatchOfMany[] = [
  {
    row: 'A due time has one job',
    file: 'src/schedules/core/rules.ts',
    find: 'hasJob: (state: string | undefined): boolean => state !== undefined,',
    replace: 'hasJob: (_: string | undefined): boolean => false,',
    test: SCHEDULES_WORLDS
  },
  {
    row: 'A leader with a wrong clock starts no job of a schedule',
    file: 'src/schedules/core/rules.ts',
    find: 'mayFire: (ahead: number | undefined) => ahead === undefined || Math.abs(ahead) <= CLOCK_MS,',
    replace: 'mayFire: (_: number | undefined) => true,',
    test: SCHEDULES_WORLDS
  },
  {
    row: 'With `dataDir` a schedule survives the end of all peers',
    file: 'src/journal/replica-disk.ts',
    find: '    this.#log.write([{ key: ENTRY + entry.job, ...encodeStored(entry) }])\n',
    replace:
      "    if (!entry.job.startsWith('schedule/')) this.#log.write([{ key: ENTRY + entry.job, ...encodeStored(entry) }])\n",
    test: {
      path: 'test/cluster/schedules.test.ts',
      title:
        'a schedule is there after all voters were killed, and runs each due time exactly once, also those that passed meanwhile'
    },
    testTimeout: 60_000
  }
]

const RESTARTS: PatchOfMany[] = [
  {
    row: 'With `dataDir` a peer is the same member',
    file: 'src/persistence/data-dir.ts',
    find: 'return { path, lock, privateKey: await readOrMakeIdentity(join(path, IDENTITY)) }',
    replace: "return { path, lock, privateKey: await generateKeyPair('Ed25519') }",
    test: {
      path: 'test/cluster/data-dir.test.ts',
      title:
        'peers with data folders keep their PeerIds after a restart, and find each other again without a bootstrap address'
    },
    testTimeout: 60_000
  },
  {
    row: "A folder is one process's",
    file: 'src/persistence/folder-lock.ts',
    find: '    await lock.take()\n',
    replace: '',
    test: {
      path: 'test/cluster/data-dir.test.ts',
      title: 'a second process on the data folder of a running peer exits 2 and prints the reason'
    },
    testTimeout: 40_000
  },
  {
    row: "A folder is one cluster's",
    file: 'src/persistence/peer-state.ts',
    find: '  if (id === undefined || own.id === undefined || id === own.id) return undefined\n',
    replace: '  return undefined\n',
    test: {
      path: 'test/persistence/data-dir.test.ts',
      title: 'is refused by a cluster of the same name with another key or none, and the error has the cluster id'
    }
  },
  {
    row: 'With `dataDir` a job that was acknowledged survives the end of all peers',
    file: 'src/journal/replica-disk.ts',
    find: '    this.#log.write([{ key: ENTRY + entry.job, ...encodeStored(entry) }])\n',
    replace: '    void entry\n',
    test: {
      path: 'test/cluster/full-stop.test.ts',
      title: 'a detached job that was acknowledged ends with the exact result, whichever order the peers come back in'
    },
    testTimeout: 60_000
  },
  {
    row: 'What has ended stays ended',
    file: 'src/journal/core/rules.ts',
    find: '  mayHaveEnded: isOutdated => isOutdated,\n',
    replace: '  mayHaveEnded: () => false,\n',
    test: {
      path: 'test/journal/floor.test.ts',
      title: 'the old copy of a job whose end is forgotten is suspended when the peer that was away returns with it'
    }
  },
  {
    row: 'What has ended stays ended',
    file: 'src/jobs/leader/job-manager.ts',
    find: '    if (!isSuspended) this.#resume(entry)\n',
    replace: '    this.#resume(entry)\n',
    test: {
      path: 'test/jobs/suspended.test.ts',
      title: 'does not run, is listed, and is kept by the standbys'
    }
  },
  {
    row: 'With `durable: N` a job is on N disks',
    file: 'src/journal/core/rules.ts',
    find: '  isDurable: (disks, needed) => disks >= needed,\n',
    replace: '  isDurable: () => true,\n',
    test: {
      path: 'test/jobs/durable.test.ts',
      title: 'the next leader reports the outcome of a job only when as many disks have it as the job asked for'
    },
    also: [
      {
        path: 'test/jobs/durable.test.ts',
        title: 'a job goes on when its disks are lost, and its outcome is reported when there are enough disks again'
      }
    ]
  },
  {
    row: 'With `dataDir` the end of all peers repeats little',
    file: 'src/jobs/worker/partials-disk.ts',
    find: '        changes.push(change)\n',
    replace: '',
    test: {
      path: 'test/jobs/full-stop.test.ts',
      title: 'no chunk that has ended runs again, whoever comes back first'
    }
  },
  {
    row: 'A full disk harms nobody',
    file: 'src/persistence/log/log-thread.ts',
    find: "      reply({ type: 'failing', id, lane, error: error as Error })\n      return\n",
    replace: '      throw error\n',
    test: {
      path: 'test/cluster/full-disk.test.ts',
      title:
        'a peer on a full disk continues, restarts as the same member, and writes its newest state as soon as the disk has room'
    },
    testTimeout: 60_000
  }
]

const ROLLING: PatchOfMany[] = [
  {
    row: 'A rolling restart changes the leader as rarely as it can',
    file: 'src/election/core/rules.ts',
    find: 'mayBegin: (isReady: boolean) => isReady',
    replace: 'mayBegin: (_isReady: boolean) => true',
    test: {
      path: 'test/cluster/rolling-restart.test.ts',
      title:
        'during a rolling restart the leadership changes at most twice: when the leader leaves and when the leader returns'
    }
  }
]

const SECURITY: PatchOfMany[] = [
  {
    row: 'The key is in no log, event, message, argument or environment',
    file: 'src/common/secrets.ts',
    find: "export const SECRET_VARIABLES = ['P2P_WORKER_KEY', 'P2P_WORKER_TOKEN', 'P2P_WORKER_ELECTION'] as const",
    replace: "export const SECRET_VARIABLES = ['P2P_WORKER_TOKEN', 'P2P_WORKER_ELECTION'] as const",
    test: {
      path: 'test/cluster/secrets.test.ts',
      title: 'a key is in no environment and no arguments of child processes'
    }
  },
  {
    row: 'A key is replaced while a job runs',
    file: 'src/network/transport/key-ring.ts',
    find: '    this.#keys = psks.map(handshakeKey)\n',
    replace: '    this.#keys = [...psks.map(handshakeKey), ...this.#keys]\n',
    test: {
      path: 'test/cluster/rotation.test.ts',
      title: 'a key is replaced in three steps during a job: no member is lost, and the old key is useless at the end'
    }
  },
  {
    row: 'Garbage and floods harm nobody else',
    file: 'src/network/guard/token-buckets.ts',
    find: 'if (this.take(key, amount) === 0) return true',
    replace: 'if (this.take(key, amount) >= 0) return true',
    test: {
      path: 'test/cluster/floods.test.ts',
      title: 'a flood of %s is refused, and the job of the honest peers has the exact result'
    },
    only: 'overview',
    testTimeout: 60_000,
    also: [
      {
        path: 'test/cluster/flood.test.ts',
        title: 'peers compute the exact result of a job while a member floods their leader with every kind of message'
      }
    ]
  },
  {
    row: 'A host without the key blocks nobody',
    file: 'src/network/guard/pending-handshakes.ts',
    find: 'if (this.#count > this.#most) this.#evict()',
    replace:
      "if (this.#count > this.#most) { this.#onEvicted(host); connection.abort(new P2pWorkerError('there is no slot')) }",
    test: {
      path: 'test/network/guard/pending-handshakes.test.ts',
      title: 'while one host holds all handshake slots with silent sockets, another host connects at its first attempt'
    }
  },
  {
    row: 'The allow list is heeded',
    file: 'src/network/guard/admission.ts',
    find: 'return this.#rules === undefined || this.#of(peer).includes(right)',
    replace: 'return this.#rules === undefined || this.#of(peer).length > 0',
    test: {
      path: 'test/jobs/who-may-submit.test.ts',
      title:
        'a member without the right to submit is refused its own job by the leader, which counts that, and computes the jobs of others'
    }
  },
  {
    row: 'Without the key nobody is let in',
    file: 'src/network/transport/handshake.ts',
    find: "if (!hasKey) return late.abort(new NotAdmittedError('it has not shown a key in time'))",
    replace: 'if (!hasKey) return',
    test: {
      path: 'test/network/guard/strangers.test.ts',
      title: 'a peer closes a socket that %s within 2 s of idle time and sends no byte on the socket'
    }
  },
  {
    row: 'Without the key nobody is let in',
    file: 'src/network/transport/key-ring.ts',
    find: 'function handshakeKey(psk: Uint8Array): HandshakeKey {',
    replace: `function handshakeKey(_: Uint8Array): HandshakeKey {
  const psk = Buffer.from(\`/key/swarm/psk/1.0.0/\\n/base16/\\n\${'0'.repeat(64)}\`)`,
    test: {
      path: 'test/network/guard/strangers.test.ts',
      title: 'a node that has %s gets and spreads no gossip, and is disconnected within 2 s of idle time'
    },
    only: 'another key'
  },
  {
    row: 'Isolated tasks keep to the table',
    file: 'src/tasks/process/launch.ts',
    find: 'new Set([...readable, ...packages])',
    replace: "new Set([...readable, ...packages, '/'])",
    test: {
      path: 'test/tasks/process/escapes.test.ts',
      title: 'an attempt is refused exactly on platforms where its row is enforced: %s'
    }
  }
]

/** Makes one patch for each test that must notice the fault. */
function one({ also = [], ...patch }: PatchOfMany): Patch[] {
  const others = also.map(test => ({ ...patch, test, only: undefined, testTimeout: 60_000 }))
  return [patch, ...others]
}

export const patches: readonly Patch[] = [
  ...JOBS,
  ...MEMBERSHIP,
  ...LEADERSHIP,
  ...SCHEDULES,
  ...RESTARTS,
  ...ROLLING,
  ...SECURITY
].flatMap(one)
