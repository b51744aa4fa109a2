/**
 * Talks to etcd's JSON gateway (https://etcd.io/docs/v3.5/dev-guide/api_grpc_gateway/). Every request is linearizable: a member that is
 * cut off from its majority answers none.
 */
import { ElectionStoreError } from '../../common/errors.ts'
import { eitherSignal, signalAfter } from '../../lib/abort.ts'
import { jsonLines } from './json-lines.ts'

/** A key and its value. */
export interface KeyValue {
  key: string
  value: string
  /** The revision of the last change of this key. */
  mod_revision: string
  /** The id of the lease with which the key ends. Undefined without a lease. */
  lease?: string
}

export interface EtcdAnswer {
  header: { revision: string }
  kvs?: KeyValue[]
}

export interface TransactionAnswer extends EtcdAnswer {
  succeeded?: boolean
}

export interface EtcdAddress {
  /** The URLs of the members, without credentials. */
  urls: readonly string[]
  user?: string | undefined
  password?: string | undefined
}

/** How long a member may take to answer before the next member is asked, in ms. */
const ANSWER_MS = 1_000
/** The codes of gRPC that a request gets without a valid token. */
const UNAUTHENTICATED = 16
const INVALID_ARGUMENT = 3
const PERMISSION_DENIED = 7
/** The code of gRPC for a user of an etcd that has no users. */
const FAILED_PRECONDITION = 9

export function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

export function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}

export class EtcdClient {
  readonly #address: EtcdAddress
  /** The index of the member that has answered last. */
  #current = 0
  #token: string | undefined

  constructor(address: EtcdAddress) {
    this.#address = address
  }

  /** Sends a request to the members in turn, until one answers. Rejects if none does. */
  async ask<T>(path: string, body: object, signal: AbortSignal): Promise<T> {
    const { urls } = this.#address
    let failure: unknown
    for (let attempt = 0; attempt < urls.length; attempt++) {
      signal.throwIfAborted()
      const asked = this.#current
      const patience = eitherSignal(signal, signalAfter(ANSWER_MS))
      try {
        const response = await this.#post(path, body, patience.signal)
        return (await response.json()) as T
      } catch (error) {
        if (error instanceof ElectionStoreError) throw error
        failure = error
        // Another request may have turned to the next member already.
        if (this.#current === asked && !signal.aborted) this.#current = (asked + 1) % urls.length
      } finally {
        patience.release()
      }
    }
    signal.throwIfAborted()
    throw failure
  }

  /** Yields the messages of a stream, one for each line, until the signal aborts. */
  async *follow<T>(path: string, body: object, signal: AbortSignal): AsyncGenerator<T> {
    const response = await this.#post(path, body, signal)
    yield* jsonLines<T>(response.body!)
  }

  async #post(path: string, body: object, signal: AbortSignal, isRepeated = false): Promise<Response> {
    const token = await this.#authenticated(signal)
    const response = await this.#send(path, body, token, signal)
    if (response.ok) return response
    const { code, error } = (await response.json()) as { code?: number; error?: string }
    const isExpired = code === UNAUTHENTICATED || (code === INVALID_ARGUMENT && /token|revision/.test(error ?? ''))
    if (isExpired && token !== undefined && !isRepeated) {
      if (this.#token === token) this.#token = undefined
      return await this.#post(path, body, signal, true)
    }
    if (code === PERMISSION_DENIED) throw this.#refused(error)
    if (code === INVALID_ARGUMENT && /user name is empty/.test(error ?? '')) throw this.#refused(error)
    throw new Error(`${path}: ${error ?? response.statusText}`)
  }

  /** Returns the token of the user. Undefined without a user. */
  async #authenticated(signal: AbortSignal): Promise<string | undefined> {
    const { user, password = '' } = this.#address
    if (user === undefined || this.#token !== undefined) return this.#token
    const response = await this.#send('auth/authenticate', { name: user, password }, undefined, signal)
    const { token, error, code } = (await response.json()) as { token?: string; error?: string; code?: number }
    const isRefused = code === INVALID_ARGUMENT || code === PERMISSION_DENIED || code === FAILED_PRECONDITION
    if (token === undefined && isRefused) throw this.#refused(error)
    if (token === undefined) throw new Error(`auth/authenticate: ${error ?? response.statusText}`)
    this.#token = token
    return token
  }

  async #send(path: string, body: object, token: string | undefined, signal: AbortSignal): Promise<Response> {
    const url = this.#address.urls[this.#current]!
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) }
    try {
      return await fetch(`${url}/v3/${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
    } catch (error) {
      signal.throwIfAborted()
      // The message of `fetch` says only that it failed. Its cause says why.
      const { cause = error } = error as Error
      throw new Error(`${url}: ${(cause as Error).message || (cause as NodeJS.ErrnoException).code}`, { cause })
    }
  }

  #refused(why: string | undefined): ElectionStoreError {
    const { user } = this.#address
    const who = user === undefined ? 'a user without a name' : `the user ${user}`
    return new ElectionStoreError(
      `etcd refuses ${who}: ${why}; check the user, its password and its rights (etcd:http://USER:PASSWORD@HOST:2379)`
    )
  }
}
