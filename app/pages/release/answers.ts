import type { Actor } from '#foundation/core/principal'
import type { Instant } from '#foundation/core/clock'
import type { Condition, HeldStep, NextMove, Warning } from '../words/obstacles.js'

/** Members of answers of the API that the page of a release shows. */

export interface Item {
  id: string
  kind: 'checklist' | 'approval' | 'regression'
  title: string
  description: string | null
  owners: readonly { type: string; id: string | null; name: string }[]
  required: boolean
  placement: { stepConfigId: string; position: number }
  status: {
    type: string
    updatedAt: Instant | null
    updatedBy: Actor | null
    comment: { text: string; author: Actor } | null
  }
  requiredApprovals?: number
  fourEyes?: boolean
  approvals?: readonly { actor: Actor; at: Instant }[]
}

export interface Release {
  id: string
  appId: string
  version: string
  releaseName: string | null
  releaseType: string
  status: string
  phase: string
  releasePilot: { id: string; name: string | null; email: string } | null
  releaseBranch: string | null
  targetKickoffAt: Instant | null
  targetSubmitAt: Instant | null
  targetReleaseAt: Instant | null
  kickedOffAt: Instant | null
  submittedAt: Instant | null
  releasedAt: Instant | null
  completedAt: Instant | null
  automationsPaused: boolean
  readyToSubmit: boolean
  readyToRelease: boolean
  selectedBuild: StoreBuild | null
}

export interface StoreBuild {
  id: string
  buildNumber: string
  version: string
  processingState: string
  selected: boolean
}

export interface CiBuild {
  id: string
  buildIdentifier: string
  buildStatus: string
  branch: string
  commitHash: string
  commitMessage: string | null
  startedAt: Instant
  finishedAt: Instant | null
  url: string | null
}

export interface Step extends Omit<HeldStep, 'unmet' | 'rollout'> {
  stepConfigId: string
  stepRunId: string | null
  groupIndex: number
  position: number
  destinationId: string | null
  data: Record<string, unknown>
  checklistItems: { total: number; done: number }
}

export interface WhyNotMoving {
  steps: readonly { stepId: string; unmet: readonly Condition[] }[]
  release: readonly Condition[]
  warnings: readonly Warning[]
  next: readonly NextMove[]
}

export interface Entry {
  id: string
  type: string
  title: string
  occurredAt: Instant
  actor: Actor
  stepConfigId: string | null
  data: Record<string, unknown>
  position: number
  previousHash: string | null
  hash: string
}

export interface StoreRollout {
  destinationId: string | null
  storeType: string
  phased: { status: string; percentage: number; day: number | null; automated: boolean } | null
  decided: { isStopped: boolean }
  asked: readonly Asked[]
  observed: { isCurrent: boolean; beganAt: Instant; rollout: { pausedDays: number } | null } | null
  polled: { at: Instant; failure: string | null } | null
  stopped: { by: Actor; at: Instant; reason: string | null } | null
  health: readonly Health[]
  next: readonly (NextMove & { percentage?: number })[]
}

export interface Asked {
  what: string
  attempt: number
  beganAt: Instant
  endedAt: Instant | null
  outcome: string | null
  reason: string | null
  retryAt: Instant | null
}

export interface Health {
  metric: string
  value: number | null
  previousValue: number | null
  verdict: string
  sample: { total: number } | null
  measuredAt: Instant
}

export interface Rollout {
  status: string
  stores: readonly StoreRollout[]
}
