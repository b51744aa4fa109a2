import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Hangup, onHangup } from '../../src/cli/hangup.ts'
import type { Interruption } from '../../src/cli/interruption.ts'

/** The standard streams that are terminals now. */
const terminals = vi.hoisted(() => new Set<number>())
vi.mock('node:tty', () => ({ isatty: (fd: number) => terminals.has(fd) }))

describe('SIGHUP', () => {
  let hangup: Hangup
  const controller = new AbortController()

  function listen(): { interrupted: ReturnType<typeof vi.fn>; reload: ReturnType<typeof vi.fn<() => Promise<void>>> } {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const interrupted = vi.fn()
    hangup = onHangup({ signal: controller.signal, interrupt: interrupted } as unknown as Interruption)
    return { interrupted, reload: vi.fn<() => Promise<void>>(async () => {}) }
  }

  afterEach(() => {
    vi.spyOn(process, 'kill').mockReturnValue(true)
    hangup.stop()
    terminals.clear()
    vi.restoreAllMocks()
  })

  it('reads again what there is, one time after the other', async () => {
    const { interrupted, reload } = listen()
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

  it('that comes while the peer starts is not lost, and does not end it', async () => {
    const { interrupted, reload } = listen()
    process.emit('SIGHUP')
    hangup.follow(reload)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(interrupted).not.toHaveBeenCalled()
  })

  it('makes it leave when there is nothing to read again', () => {
    const { interrupted } = listen()
    hangup.follow(undefined)
    process.emit('SIGHUP')
    expect(interrupted).toHaveBeenCalledTimes(1)
  })

  it('makes it leave when its terminal is gone, and reads again while that is there', async () => {
    terminals.add(0).add(2)
    const { interrupted, reload } = listen()
    hangup.follow(reload)
    process.emit('SIGHUP')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    terminals.clear()
    process.emit('SIGHUP')
    expect(interrupted).toHaveBeenCalledTimes(1)
    expect(reload).toHaveBeenCalledTimes(1)
    // When it has left, it ends by the signal that it got.
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
    hangup.stop()
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGHUP')
  })
})
