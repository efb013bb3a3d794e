import type { AppInOverview } from '#insights/overview_entities'
import { Problem } from '#foundation/core/problems/problem'
import type { PageCall } from '../frame/page.js'
import { readHeld } from '../release/held.js'

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

/**
 * Reads all apps as `appsOf` does. An app with several active releases, such as a hotfix beside the
 * train, has an entry for each.
 */
export async function releasesOf(call: PageCall): Promise<OverviewApp[]> {
  const all = (await appsOf(call)).map(async (app) => [app, ...(await besideOf(call, app))])
  return (await Promise.all(all)).flat()
}

async function besideOf(call: PageCall, app: OverviewApp): Promise<OverviewApp[]> {
  const all = await Promise.all(
    app.alsoActive.map(async ({ id }) => {
      try {
        return [
          { ...app, release: (await readHeld(call, app.id, id)) as unknown as OverviewRelease },
        ]
      } catch (error) {
        // It was deleted in the meantime.
        if (error instanceof Problem && error.status === 404) return []
        throw error
      }
    })
  )
  return all.flat()
}
