/** Stores the peer's token until the tab closes, and sends the requests that need the token. */

const KEY = 'p2p-worker-token'

export function savedToken(): string {
  try {
    return sessionStorage.getItem(KEY) ?? ''
  } catch {
    // This browser does not store data, so the user must enter the token after each load.
    return ''
  }
}

export function saveToken(token: string): void {
  try {
    if (token === '') sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, token)
  } catch {
    // This browser does not store data.
  }
}

/** How long a request may take, in ms. The limit is long, because a cancellation waits for the leader. */
const ANSWER_MS = 30_000

export type Answer = { ok: true; jobId?: string } | { ok: false; message: string }

/** Asks the peer whether the token is right. */
export function checkToken(token: string): Promise<Answer> {
  return ask('GET', '/api/jobs', token)
}

export function decideJob(jobId: string, action: 'cancel' | 'resume', token: string): Promise<Answer> {
  const path = `/api/jobs/${encodeURIComponent(jobId)}`
  return action === 'cancel' ? ask('DELETE', path, token) : ask('POST', `${path}/resume`, token)
}

export function changeSchedule(name: string, action: 'pause' | 'resume' | 'run', token: string): Promise<Answer> {
  return ask('POST', `/api/schedules/${encodeURIComponent(name)}/${action}`, token)
}

const WRONG: Answer = { ok: false, message: 'This is not the token of this peer.' }

async function ask(method: string, path: string, token: string): Promise<Answer> {
  // The page never sends a text that does not have the form of a token.
  if (!/^[\w~+/.-]+=*$/.test(token)) return WRONG
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), ANSWER_MS)
  try {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await fetch(path, { method, headers, cache: 'no-store', signal: stop.signal })
    const body = (await response.json()) as { jobId?: string; error?: { message?: string } }
    if (response.ok) return { ok: true, ...(typeof body.jobId === 'string' ? { jobId: body.jobId } : {}) }
    if (response.status === 401) return WRONG
    return { ok: false, message: sentence(body.error?.message ?? `the peer answers ${response.status}`) }
  } catch {
    return { ok: false, message: 'The peer does not answer.' }
  } finally {
    clearTimeout(timer)
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
