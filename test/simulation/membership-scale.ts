/** Large clusters in the simulated world: how soon a crash is probed, how far gossip travels, and how many messages a member sends. */
import type { SwimEffect, SwimEvent, SwimMessage, SyncEntry } from '../../src/membership/core/messages.ts'
import type { SelfRecord, Sign, Signed } from '../../src/membership/core/record.ts'
import { Swim } from '../../src/membership/core/swim.ts'
import { type Profile, profiles } from '../../src/membership/profile.ts'
import { metadataOf } from './membership.ts'
import { proofsOf } from './membership-answers.ts'
import { type Host, type Process, World } from './world.ts'

const envelope = { payload: new Uint8Array(), signature: new Uint8Array() }
const sign: Sign = record => ({ record, envelope })

/** Gossipsub's D in network/node.ts: the number of connections over which a peer forwards new gossip. */
const MESH = 4

interface Gossip {
  record: Signed
  /** The number of links that the gossip has travelled. */
  hops: number
}

/** The events that a test observes in a world of many members. */
interface Watch {
  onPing?(target: string): void
  onMessage?(message: SwimMessage): void
  /** Called when a gossiped record first arrives at a member. Without this handler the members gossip no records. */
  onGossip?(record: Signed, hops: number): void
}

/** A member that knows all other members from the beginning. Gossip travels hop by hop, as over gossipsub's mesh. */
class ManyProcess implements Process {
  readonly #host: Host
  readonly #swim: Swim
  readonly #entries: SyncEntry[]
  readonly #watch: Watch
  readonly #seen = new Set<Signed>()
  readonly #mesh: () => string[]
  #neighbours: string[]

  constructor(host: Host, entries: SyncEntry[], profile: Profile, watch: Watch, mesh: (id: string) => string[]) {
    this.#host = host
    this.#watch = watch
    this.#mesh = () => mesh(host.id)
    this.#entries = entries
    this.#neighbours = entries.map(({ record }) => record.record.member).filter(id => id !== host.id)
    this.#swim = new Swim({
      self: host.id,
      metadata: metadataOf(host.id),
      profile,
      sign,
      ackProofs: proofsOf(host),
      random: () => host.random()
    })
  }

  get neighbours(): readonly string[] {
    return this.#neighbours
  }

  start(): void {
    this.#handle({ type: 'start' })
    const message: SwimMessage = { type: 'sync', reply: true, entries: this.#entries, state: new Uint8Array() }
    this.#handle({ type: 'message', from: this.#neighbours[0]!, message })
  }

  receive(from: string, protocol: string, message: unknown): void {
    if (protocol === 'gossip') this.#forward(from, message as Gossip)
    else this.#handle({ type: 'message', from, message: message as SwimMessage })
  }

  gossip(): void {}

  timer(name: string): void {
    this.#handle({ type: 'timer', name })
  }

  update(slots: number): void {
    this.#handle({ type: 'update', change: { slots } })
  }

  #forward(from: string, { record, hops }: Gossip): void {
    if (this.#seen.has(record)) return
    this.#seen.add(record)
    this.#watch.onGossip?.(record, hops)
    this.#handle({ type: 'gossip', record })
    for (const to of this.#mesh()) if (to !== from) this.#host.send(to, 'gossip', { record, hops: hops + 1 })
  }

  #handle(event: SwimEvent): void {
    for (const effect of this.#swim.handle(event, this.#host.now())) this.#run(effect)
  }

  #run(effect: SwimEffect): void {
    switch (effect.type) {
      case 'send':
        if (effect.message.type === 'ping') this.#watch.onPing?.(effect.to)
        this.#watch.onMessage?.(effect.message)
        this.#host.send(effect.to, 'swim', effect.message)
        break
      case 'gossip':
        this.#seen.add(effect.record)
        // Gossipsub's floodPublish: an author sends its message over all its connections. Introductions are not sent, because all members know each other.
        if (this.#watch.onGossip !== undefined && !isIntroduction(effect.record)) {
          for (const to of this.#neighbours) this.#host.send(to, 'gossip', { record: effect.record, hops: 1 })
        }
        break
      case 'timer':
        this.#host.timer(effect.name, effect.delay)
        break
      case 'neighbours':
        if (effect.ids !== undefined) this.#neighbours = effect.ids
        break
    }
  }
}

function isIntroduction({ record }: Signed): boolean {
  return record.type === 'self' && record.revision === 0 && record.incarnation === 0
}

interface Crowd {
  world: World
  ids: string[]
  processes: Map<string, ManyProcess>
}

/** Makes a world of `size` members that all know each other. Their periods are not synchronised. */
function crowd(seed: number, size: number, watch: Watch, profile: Profile = profiles.lan): Crowd {
  const world = new World(seed)
  const ids = Array.from({ length: size }, (_, i) => `p${i}`)
  // All members share these entries: 5,000 copies of 5,000 entries would take a gigabyte.
  const entries = ids.map((member): SyncEntry => {
    const record = sign<SelfRecord>({
      type: 'self',
      member,
      state: 'alive',
      incarnation: 0,
      revision: 0,
      metadata: metadataOf(member)
    })
    return { record, accusations: [], downFor: 0 }
  })
  const processes = new Map<string, ManyProcess>()
  const meshes = new Map<string, Set<string>>()
  const mesh = (id: string): string[] => {
    if (meshes.size === 0) weave()
    return [...meshes.get(id)!]
  }
  /** Builds the meshes: each member asks some of its connections to join its mesh, and the asked members agree. */
  const weave = (): void => {
    for (const id of ids) meshes.set(id, new Set())
    for (const id of ids) {
      const own = meshes.get(id)!
      const others = [...processes.get(id)!.neighbours]
      while (own.size < MESH && others.length > 0) {
        const [other] = others.splice(Math.floor(world.random() * others.length), 1)
        own.add(other!)
        meshes.get(other!)!.add(id)
      }
    }
  }
  for (const id of ids) {
    world.add(id, host => {
      const process = new ManyProcess(host, entries, profile, watch, mesh)
      processes.set(id, process)
      return process
    })
  }
  world.run(4 * profile.period)
  return { world, ids, processes }
}

/**
 * Crashes `crashes` members of a cluster of `size` silently, one after the other. Returns the time, in periods, from each crash to the first
 * probe of the crashed member.
 */
export function timesToFirstProbe(seed: number, size: number, crashes: number): number[] {
  const { period } = profiles.lan
  const awaited = new Map<string, number>()
  const times: number[] = []
  let now = (): number => 0
  const { world, ids } = crowd(seed, size, {
    onPing: target => {
      const at = awaited.get(target)
      if (at === undefined) return
      awaited.delete(target)
      times.push((now() - at) / period)
    }
  })
  now = () => world.now()
  const victims = new Set<string>()
  while (victims.size < crashes) victims.add(ids[Math.floor(world.random() * size)]!)
  for (const id of victims) {
    world.crash(id, true)
    awaited.set(id, world.now())
    world.run(period * (0.1 + 0.2 * world.random()))
  }
  for (let periods = 0; awaited.size > 0 && periods < 20; periods++) world.run(period)
  if (awaited.size > 0) throw new Error(`seed ${seed}: ${[...awaited.keys()]} were never probed`)
  return times
}

/** Publishes `times` records in a cluster of `size`. Returns the number of hops after which each record had reached all members. */
export function gossipHops(seed: number, size: number, times: number): number[] {
  const reached = new Map<Signed, { members: number; hops: number }>()
  const { world, ids, processes } = crowd(seed, size, {
    onGossip: (record, hops) => {
      const spread = reached.get(record) ?? { members: 0, hops: 0 }
      reached.set(record, { members: spread.members + 1, hops: Math.max(spread.hops, hops) })
    }
  })
  for (let i = 0; i < times; i++) {
    processes.get(ids[Math.floor(world.random() * size)]!)!.update(2 + i)
    world.run(500)
  }
  const hops = [...reached.values()].map(spread => {
    if (spread.members !== size - 1) throw new Error(`seed ${seed}: gossip reached ${spread.members} of ${size - 1}`)
    return spread.hops
  })
  if (hops.length !== times) throw new Error(`seed ${seed}: ${hops.length} of ${times} news were seen`)
  return hops
}

/** Returns the number of messages that a member of a quiet cluster of `size` sends in a period, averaged over a minute. */
export function messagesPerPeriod(seed: number, size: number): number {
  let sent = 0
  const { world } = crowd(seed, size, { onMessage: () => void sent++ })
  sent = 0
  const periods = 120
  world.run(periods * profiles.lan.period)
  return sent / size / periods
}
