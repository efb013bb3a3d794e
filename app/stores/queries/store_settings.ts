import { DEFAULT_APP_STORE_RELEASE_SETTINGS, type AppStoreReleaseSettings } from '#apps/settings'
import { apps, destinations } from '#apps/tables'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'

const SELECT_BY_APP = select(
  of(apps, 'a', ['appStoreReleaseSettings']),
  'from apps a where a.organization_id = :org and a.id = :appId'
)
const SELECT_BY_DESTINATION = select(
  of(destinations, 'd', ['appStoreReleaseSettings']),
  'from destinations d where d.organization_id = :org and d.id = :destinationId'
)

/** Returns the current release settings of an app for a store. */
export async function storeSettings(
  scope: Scope,
  { appId, destinationId }: { appId: string; destinationId: string | null }
): Promise<AppStoreReleaseSettings> {
  const [found] =
    destinationId === null
      ? await scope.rows(SELECT_BY_APP, { appId })
      : await scope.rows(SELECT_BY_DESTINATION, { destinationId })
  return found?.appStoreReleaseSettings ?? DEFAULT_APP_STORE_RELEASE_SETTINGS
}
