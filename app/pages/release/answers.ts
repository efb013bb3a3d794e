import type { Instant } from '#foundation/core/clock'
import type { CIBuildEntity } from '#builds/entities'
import type { ChecklistItemEntity } from '#checklists/entities'
import type { FeatureReadinessItemEntity } from '#features/entities'
import type { FixRequestEntity } from '#fixes/entities'
import type { PublicTimelineEvent, ReleaseEntity, ReleaseStepEntity } from '#releases/entities'
import type { ReleasePair } from '#stores/pairs/pair_entity'
import type { RolloutEntity } from '#rollouts/rollout_entity'
import type { Condition, HeldStep, NextMove, Warning } from '../words/obstacles.js'

/** Answers of the API that the page of a release shows. */

export type Entry = PublicTimelineEvent
export type Rollout = RolloutEntity
export type CiBuild = CIBuildEntity
export type Fix = FixRequestEntity
export type Feature = FeatureReadinessItemEntity
/** An item in a release, which has a status. */
export type Item = ChecklistItemEntity & {
  status: NonNullable<ChecklistItemEntity['status']>
  /** Its entity tag. */
  tag: string
}

export interface StoreBuild {
  id: string
  buildNumber: string
  version: string
  processingState: string
  selected: boolean
}

/** The last request to give a build to groups of testers. */
export interface Distribution {
  appStoreBuildId: string
  buildNumber: string
  groups: readonly string[]
  notes: readonly { locale: string; text: string }[]
  state: string
  askedAt: Instant
  askedBy: { name: string }
  reason: string | null
  action: string | null
}

export interface Issue {
  id: string
  title: string
  status: string
  severity: string
  /** The address of more information; null without one. */
  sourceUrl: string | null
  metrics: { userCount: number | null } | null
}

/** A page of a list. */
export interface PageOf<Each> {
  data: readonly Each[]
  pagination: { hasMore: boolean; nextCursor: string | null }
}

export type Step = ReleaseStepEntity & {
  statusChangedAt: Instant | null
  data: Record<string, unknown>
  checklistItems: { total: number; done: number }
}

/** A step with what holds it. */
export type ShownStep = Step & HeldStep

export type Release = ReleaseEntity & {
  pair: ReleasePair | null
  selectedBuild: StoreBuild | null
  steps: readonly Step[]
}

export interface WhyNotMoving {
  steps: readonly { stepId: string; unmet: readonly Condition[] }[]
  release: readonly Condition[]
  warnings: readonly Warning[]
  next: readonly NextMove[]
}
