// A store that grants the lease of the leader, made of plain files: an implementation of `LeaseStore` to start from. It needs only a folder that all
// peers share, and no lock. examples/file-lease-peer.mjs elects a leader with it.
//
// Each file of the folder is one state of the lease, 00000001.json, 00000002.json, …, and the last one counts. A change reads the last file, and
// creates the next one, which fails if another peer has been faster. Then the change begins again. The times are those of the wall clock: all peers
// must run on one machine, or on machines whose clocks agree, and nobody may set the clock back or forward. A database keeps such promises better.
import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** How many old states stay. A change that was paused finds out by them that it is too late. */
const KEPT = 8
/** The pause between two looks at the folder, in ms. */
const LOOK = 50
const FREE = { session: undefined, holder: undefined, heir: undefined, until: 0 }

/** Returns a store in this folder. */
export function fileLease({ folder }) {
  /** Applies `change` to the last state, and stores the state that it returns. Nothing changes if it returns undefined. */
  async function update(signal, change) {
    for (;;) {
      signal.throwIfAborted()
      const { number, state } = await lastState(folder)
      const next = change(state)
      if (next === undefined || (await isWritten(folder, number, next))) return next
    }
  }

  return {
    name: 'file',

    async acquire({ holder, session, leaseTime, record, signal }) {
      const granted = await update(signal, state => {
        const isTaken = state.session !== undefined && state.session !== session
        const isReserved = state.heir !== undefined && state.heir !== holder
        if (isTaken || isReserved) return undefined
        return { session, holder, heir: undefined, until: Date.now() + leaseTime, record: record(state.record) }
      })
      return granted && { record: granted.record }
    },

    async renew({ session, leaseTime, record = recorded => recorded, signal }) {
      const renewed = await update(signal, state => {
        if (state.session !== session) return undefined
        return { ...state, until: Date.now() + leaseTime, record: record(state.record) }
      })
      return renewed !== undefined
    },

    async transfer({ session, heir, leaseTime, signal }) {
      await update(signal, state => {
        if (state.session !== session) return undefined
        return { ...state, ...FREE, heir, until: Date.now() + leaseTime }
      })
    },

    async release({ session, signal }) {
      await update(signal, state => (state.session === session ? { ...state, ...FREE } : undefined))
    },

    async *watch({ signal }) {
      let before
      while (!signal.aborted) {
        const { holder, heir, record, until } = (await lastState(folder)).state
        const now = JSON.stringify([holder, heir, record])
        const isHeld = holder !== undefined || heir !== undefined
        if (now !== before) yield { holder, heir, record, endsIn: isHeld ? until - Date.now() : undefined }
        before = now
        await delay(LOOK, undefined, { signal }).catch(() => {})
      }
    }
  }
}

/** Returns the numbers of the states, in order. */
async function numbersIn(folder) {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  return names.flatMap(name => (/^\d{8,}\.json$/.test(name) ? [Number.parseInt(name, 10)] : [])).sort((a, b) => a - b)
}

const fileOf = (folder, number) => join(folder, `${String(number).padStart(8, '0')}.json`)

/** Returns the last state, in which a lease whose time is over is free, and its number. */
async function lastState(folder) {
  for (;;) {
    const number = (await numbersIn(folder)).at(-1) ?? 0
    if (number === 0) return { number, state: { ...FREE, record: undefined } }
    try {
      const state = JSON.parse(await readFile(fileOf(folder, number), 'utf8'))
      return { number, state: state.until > Date.now() ? state : { ...state, ...FREE } }
    } catch (error) {
      // Newer states have replaced this one since.
      if (error.code !== 'ENOENT') throw error
    }
  }
}

/** Stores `next` as the state after state `number`. Returns false if another peer has changed the state first. */
async function isWritten(folder, number, next) {
  const draft = join(folder, `draft-${randomUUID()}`)
  await writeFile(draft, JSON.stringify(next))
  try {
    // Unlike a rename, a link fails if the file exists. The linked file is complete from the first moment.
    await link(draft, fileOf(folder, number + 1))
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft)
  }
  const numbers = await numbersIn(folder)
  // Old states are removed in order. If the state before this one is gone, other peers have made later changes, and this one came too late.
  if (number > 0 && !numbers.includes(number)) {
    await rm(fileOf(folder, number + 1), { force: true })
    return false
  }
  for (const old of numbers.slice(0, -KEPT)) await rm(fileOf(folder, old), { force: true })
  return true
}
