import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'

/** How soon a process's death can be seen at all: from SIGKILL until its socket is closed here and its port refuses, in ms. */
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
