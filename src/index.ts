/**
 * p2p-worker: peer-to-peer compute without a broker, a database or a head node.
 *
 * {@link join} makes this process a peer of a cluster, {@link connect} makes it a client, and {@link defineTask} defines
 * a task.
 *
 * @module p2p-worker
 */

export { connect } from './api/client.ts'
export type { Lock, LockHolder, LockInfo, LockOptions, LockWaiter } from './api/lock-types.ts'
export type {
  ConnectionOptions,
  ConnectOptions,
  JoinOptions,
  MetricsFactory,
  ProfileName
} from './api/options-types.ts'
export { join } from './api/peer.ts'
export type { ChunkOutcome, DataDirStats, Histogram, LeadingStats, LedChunks, PeerStats } from './api/peer-stats.ts'
export type {
  MissedPolicy,
  OverlapPolicy,
  ScheduledRun,
  ScheduleInfo,
  ScheduleOptions,
  Schedules
} from './api/schedule-types.ts'
export type {
  Client,
  ClusterEvents,
  ClusterHandle,
  ClusterStatus,
  Election,
  ElectionPriority,
  Leader,
  MapOptions,
  MapTask,
  MemberStatus,
  PastLeadership,
  Peer,
  StrategyName,
  TaskReference
} from './api/types.ts'
export * from './common/errors.ts'
export type { LimitName, Limits } from './common/limits.ts'
export type { Logger } from './common/logger.ts'
export type { SpanAttributes, SpanRecord, Tracer } from './common/tracing.ts'
export { version } from './common/version.ts'
export type { EndReason } from './election/audit-log.ts'
export type {
  AcquireRequest,
  GrantedLease,
  LeaseState,
  LeaseStore,
  ReleaseRequest,
  RenewRequest,
  TransferRequest
} from './election/store/lease-store.ts'
export { type MutexElection, mutex } from './election/store/mutex.ts'
export type { StoreAddress } from './election/stores/stores.ts'
export type {
  ChunkMap,
  Job,
  JobDurability,
  JobEventState,
  JobEvents,
  JobHandleOptions,
  JobProgress,
  JobState,
  JobStats,
  JobSummary,
  SubmitOptions,
  TaskLogLine
} from './jobs/shared/types.ts'
export type { LeadContext, LeadFunction, LeadOptions } from './lead/leader-work.ts'
export type { Member, MemberMetadata, MemberState, Role } from './membership/core/member.ts'
export { generateClusterKey, replacementKey } from './network/cluster-key.ts'
export type { AllowRule, Right } from './network/guard/admission.ts'
export type { RefusalKind } from './network/guard/refusals.ts'
export { defineTask } from './tasks/define/define-task.ts'
export type { IterationContext, IterationDefinition, RoundContext } from './tasks/define/iteration.ts'
export type { RunContext, SplitContext, TaskDefinition } from './tasks/define/types.ts'
