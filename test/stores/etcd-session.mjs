// etcd-session.mjs URL…: acquires and renews a lease in the etcd at these URLs, as the lines of its input say, and prints each answer as JSON.
import { createInterface } from 'node:readline'
import { etcdLease } from '../../dist/election/stores/etcd.js'

const urls = process.argv.slice(2)
const store = etcdLease({ urls, prefix: '/cut' })

const does = {
  acquire: (session, signal) =>
    store.acquire({ holder: session, session, leaseTime: 60_000, record: () => 'record', signal }),
  renew: (session, signal) => store.renew({ session, leaseTime: 60_000, signal }),
  /** Answers with the number of the member that leads. */
  leader: async (_, signal) => {
    const asked = urls.map(async url => {
      const answer = await fetch(`${url}/v3/maintenance/status`, { method: 'POST', body: '{}', signal })
      const { header, leader } = await answer.json()
      return header.member_id === leader
    })
    return (await Promise.all(asked)).indexOf(true)
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const [what, session] = line.split(' ')
  const answer = does[what](session, AbortSignal.timeout(5_000))
  console.log(
    JSON.stringify(
      await answer.then(
        value => value ?? null,
        () => 'no answer'
      )
    )
  )
}
