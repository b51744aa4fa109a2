import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'

/** Measures the shortest possible detection of a crash: the time, in ms, from SIGKILL until this process sees the socket close and the port refuse. */
export async function crashFloor(): Promise<number> {
  const code = "const s=require('net').createServer(()=>{}).listen(0,'127.0.0.1',()=>console.log(s.address().port))"
  const child: ChildProcess = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<number>(resolve => child.stdout!.once('data', data => resolve(Number(data))))
  const socket = connect(port, '127.0.0.1')
  await new Promise(resolve => socket.once('connect', resolve))
  const began = performance.now()
  child.kill('SIGKILL')
  socket.on('error', () => {})
  await new Promise(resolve => socket.once('close', resolve).resume())
  await new Promise(resolve => connect(port, '127.0.0.1').once('error', resolve))
  return performance.now() - began
}
