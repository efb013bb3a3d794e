import type { Instant } from '#foundation/core/clock'
import type { CIBuildEntity } from '#builds/entities'
import type { ChecklistItemEntity } from '#checklists/entities'
import type { FixRequestEntity } from '#fixes/entities'
import type { PublicTimelineEvent, ReleaseEntity, ReleaseStepEntity } from '#releases/entities'
import type { RolloutEntity } from '#rollouts/rollout_entity'
import type { Condition, NextMove, Warning } from '../words/obstacles.js'

/** Answers of the API that the page of a release shows. */

export type Entry = PublicTimelineEvent
export type Rollout = RolloutEntity
export type CiBuild = CIBuildEntity
export type Fix = FixRequestEntity
/** An item in a release, where it has a status. */
export type Item = ChecklistItemEntity & { status: NonNullable<ChecklistItemEntity['status']> }

export interface StoreBuild {
  id: string
  buildNumber: string
  version: string
  processingState: string
  selected: boolean
}

export type Step = ReleaseStepEntity & {
  statusChangedAt: Instant | null
  data: Record<string, unknown>
  checklistItems: { total: number; done: number }
}

export type Release = ReleaseEntity & {
  selectedBuild: StoreBuild | null
  steps: readonly Step[]
}

export interface WhyNotMoving {
  steps: readonly { stepId: string; unmet: readonly Condition[] }[]
  release: readonly Condition[]
  warnings: readonly Warning[]
  next: readonly NextMove[]
}
