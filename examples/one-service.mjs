// A service that runs on only one machine of the cluster: a small HTTP server that answers with the epoch of its leadership.
//
//   p2p-worker lead -- node examples/one-service.mjs 8080      # on each of several machines
//   curl http://localhost:8080/                                # {"epoch":3,"pid":4711,"answers":1}
//
// `lead` starts the server only at the leader, with the epoch of the leadership in P2P_WORKER_EPOCH. `lead` stops the server before another peer
// leads. When the machine of the leader is gone, the next leader starts the server. one-service-peer.mjs does the same in a program that is a peer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

/** Serves on a port until the signal aborts. Port 0 selects any free port. */
export async function serve({ epoch, port, signal }) {
  let answers = 0
  const server = createServer((_, response) => {
    answers += 1
    response.setHeader('content-type', 'application/json')
    // A client that keeps its connection open must not delay the end of the server.
    response.setHeader('connection', 'close')
    response.end(`${JSON.stringify({ epoch, pid: process.pid, answers })}\n`)
  })
  server.listen(port)
  await once(server, 'listening')
  console.log(`epoch ${epoch} serves at http://localhost:${server.address().port}/`)
  if (!signal.aborted) await once(signal, 'abort')
  server.close()
  server.closeAllConnections()
  console.log(`epoch ${epoch} serves no more`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const epoch = Number(process.env.P2P_WORKER_EPOCH)
  const stop = new AbortController()
  process.once('SIGTERM', () => stop.abort())
  await serve({ epoch, port: Number(process.argv[2] ?? 8080), signal: stop.signal })
}
