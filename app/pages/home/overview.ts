import type { Instant } from '#foundation/core/clock'
import type { HeldRelease, HeldStep } from '../words/obstacles.js'

/** A release as an overview shows it. */
export interface OverviewRelease extends HeldRelease {
  id: string
  version: string
  releaseName: string | null
  releaseType: string
  releasePilot: { id: string } | null
  targetKickoffAt: Instant | null
  targetSubmitAt: Instant | null
  targetReleaseAt: Instant | null
  automationsPaused: boolean
  steps: readonly (HeldStep & { groupIndex: number })[]
}

/** An app as an overview shows it. */
export interface OverviewApp {
  id: string
  name: string
  platform: string
  appGroup: string | null
  release: OverviewRelease | null
}

export interface Overview {
  data: readonly OverviewApp[]
  pagination: { hasMore: boolean; nextCursor: string | null }
}
