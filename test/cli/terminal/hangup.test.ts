import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Hangup } from '../../../src/cli/terminal/hangup.ts'
import type { Interruption } from '../../../src/cli/terminal/interruption.ts'

/** The standard streams that are terminals at present. */
const terminals = vi.hoisted(() => new Set<number>())
vi.mock('node:tty', () => ({ isatty: (fd: number) => terminals.has(fd) }))

describe('SIGHUP', () => {
  let hangup: Hangup
  const controller = new AbortController()
  const [, , command] = process.argv

  /** Handles SIGHUP like a new process, which checks only at its start whether its streams are terminals. */
  async function listen(before = (): void => {}): Promise<{
    interrupted: ReturnType<typeof vi.fn>
    reload: ReturnType<typeof vi.fn<() => Promise<void>>>
    said: () => string
  }> {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const interrupted = vi.fn()
    vi.resetModules()
    process.argv[2] = 'join'
    await import('../../../src/cli/terminal/early-hangup.ts')
    before()
    const { onHangup } = await import('../../../src/cli/terminal/hangup.ts')
    hangup = onHangup({ signal: controller.signal, interrupt: interrupted } as unknown as Interruption)
    const said = (): string => write.mock.calls.map(([text]) => text).join('')
    return { interrupted, reload: vi.fn<() => Promise<void>>(async () => {}), said }
  }

  afterEach(() => {
    vi.spyOn(process, 'kill').mockReturnValue(true)
    hangup.stop()
    process.argv[2] = command as string
    terminals.clear()
    vi.restoreAllMocks()
  })

  it('a second SIGHUP rereads the files only after the first reread has ended', async () => {
    const { interrupted, reload } = await listen()
    let done = (): void => {}
    reload.mockImplementationOnce(() => new Promise<void>(resolve => (done = resolve)))
    hangup.follow(reload)
    process.emit('SIGHUP')
    process.emit('SIGHUP')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    done()
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
    expect(interrupted).not.toHaveBeenCalled()
  })

  it('a SIGHUP during the start of a peer is not lost, and does not end the peer', async () => {
    const { interrupted, reload } = await listen()
    process.emit('SIGHUP')
    hangup.follow(reload)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(interrupted).not.toHaveBeenCalled()
  })

  it('a SIGHUP that arrives before any module is loaded is not lost', async () => {
    const { interrupted, reload } = await listen(() => process.emit('SIGHUP'))
    hangup.follow(reload)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(interrupted).not.toHaveBeenCalled()
  })

  it.each([[[]], [[0, 1, 2]]])(
    'SIGHUP does not end a peer without files to reread, and prints a message (terminals: %j)',
    async open => {
      for (const fd of open) terminals.add(fd)
      const { interrupted, said } = await listen()
      hangup.follow(undefined)
      process.emit('SIGHUP')
      expect(interrupted).not.toHaveBeenCalled()
      expect(said()).toContain('neither a file of keys nor an allow list to read again')
    }
  )

  it('a peer without files to reread leaves at SIGHUP when its terminal is closed', async () => {
    terminals.add(0)
    const { interrupted } = await listen()
    hangup.follow(undefined)
    terminals.clear()
    process.emit('SIGHUP')
    expect(interrupted).toHaveBeenCalledTimes(1)
  })

  it('SIGHUP makes a peer reread its files while its terminal is open, and leave when the terminal is closed', async () => {
    terminals.add(0).add(2)
    const { interrupted, reload } = await listen()
    hangup.follow(reload)
    process.emit('SIGHUP')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    terminals.clear()
    process.emit('SIGHUP')
    expect(interrupted).toHaveBeenCalledTimes(1)
    expect(reload).toHaveBeenCalledTimes(1)
    // After it has left, the peer ends itself with the signal that it received.
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    hangup.stop()
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGHUP')
  })
})
