import type { AppInOverview } from '#insights/overview_entities'

/** An app as an overview shows it. */
export type OverviewApp = AppInOverview

/** A release as an overview shows it. */
export type OverviewRelease = NonNullable<AppInOverview['release']>

/** A page of an overview. */
export interface Overview {
  data: readonly OverviewApp[]
  pagination: { hasMore: boolean; nextCursor: string | null }
}
