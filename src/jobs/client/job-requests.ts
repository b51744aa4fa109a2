import { TypedEventEmitter } from 'main-event'
import type { Overview } from '../protocol/overview-messages.ts'
import type { ChunkMap, Job, JobEventState, SubmitOptions } from '../shared/types.ts'
import type { JobClient, JobsEvents } from './job-client.ts'
import type { OverviewClient } from './overview-client.ts'
import type { JobParts } from './submission.ts'
import type { AttachOptions, StreamParts, Submitter } from './submitter.ts'

/** Requests to the leader, from a member or an attached process. */
export abstract class JobRequests extends TypedEventEmitter<JobsEvents> implements JobClient {
  protected abstract readonly submitter: Submitter
  protected abstract readonly overviews: OverviewClient

  submit<Result, Partial>(
    parts: JobParts,
    options?: SubmitOptions,
    stream?: StreamParts
  ): Promise<Job<Result, Partial>> {
    return this.submitter.submit(parts, options, stream)
  }

  attach<Result>(id: string, options?: AttachOptions): Promise<Job<Result>> {
    return this.submitter.attach(id, options)
  }

  overview(signal?: AbortSignal): Promise<Overview> {
    return this.overviews.ask(signal)
  }

  chunkMap(job: string, since?: string, signal?: AbortSignal): Promise<ChunkMap> {
    return this.overviews.chunkMap(job, since, signal)
  }

  abstract stop(): Promise<void>

  protected onWaiting(reason: string): void {
    this.dispatchEvent(new CustomEvent('waiting', { detail: { reason } }))
  }

  protected onJobState(jobId: string, state: JobEventState): void {
    this.dispatchEvent(new CustomEvent('job', { detail: { jobId, state } }))
  }
}
