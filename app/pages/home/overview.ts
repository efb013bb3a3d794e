import type { AppInOverview } from '#insights/overview_entities'
import type { PageCall } from '../frame/page.js'

/** An app as an overview shows it. */
export type OverviewApp = AppInOverview

/** A release as an overview shows it. */
export type OverviewRelease = NonNullable<AppInOverview['release']>

interface Overview {
  data: readonly OverviewApp[]
  pagination: { nextCursor: string | null }
}

/** Reads all apps of the organization with their releases, page by page. */
export async function appsOf({ ask, reader }: PageCall): Promise<OverviewApp[]> {
  const params = { orgId: reader.principal.organization.id }
  const apps: OverviewApp[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: '200', ...(cursor && { cursor }) }
    const { body } = await ask<Overview>('getOrganizationOverview', { params, query })
    apps.push(...body.data)
    cursor = body.pagination.nextCursor
  }
  return apps
}
