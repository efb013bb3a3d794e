import type { Scope } from '#foundation/core/scope'
import { storeIntegrations } from '#integrations/queries/app_integrations'
import { appExtensions, type AppMembers } from '../extensions.js'
import type { AppEntity } from '../entities.js'
import type App from '../models/app.js'
import Destination from '../models/destination.js'
import StepConfig from '../models/step_config.js'

/** Returns apps as the API shows them, with a fixed number of queries for any number of apps. */
export async function appEntities(
  scope: Scope,
  apps: readonly App[],
  baseUrl: string
): Promise<AppEntity[]> {
  const ids = apps.map((app) => app.id)
  const [steps, destinations, users] = [
    await scope
      .query(StepConfig)
      .whereIn('appId', ids)
      .orderBy('groupIndex')
      .orderBy('position')
      .exec(),
    await scope.query(Destination).whereIn('appId', ids).orderBy('position').exec(),
    (await scope
      .table('app_users')
      .join('users', 'users.id', 'app_users.user_id')
      .whereIn('app_users.app_id', ids)
      .orderBy('app_users.position')
      .select('app_users.app_id', 'users.email')) as { app_id: string; email: string }[],
  ]
  const stores = await storeIntegrations(scope, ids)
  const added = await addedMembers(scope, ids)
  const usersOf = Map.groupBy(users, (user) => user.app_id)
  const destinationsOf = Map.groupBy(destinations, ({ appId }) => appId)
  const stepsOf = Map.groupBy(steps, ({ appId }) => appId)
  const storesOf = Map.groupBy(stores, ({ appId }) => appId)
  return apps.map((app) => ({
    id: app.id,
    orgId: app.organizationId,
    name: app.name,
    platform: app.platform,
    appGroup: app.appGroup,
    iconUrl: app.iconFile ? `${baseUrl}/icons/${app.iconFile}` : app.iconUrl,
    iconFailure: app.iconFailure,
    bundleId: bundleIdOf(storesOf.get(app.id) ?? []),
    createdAt: app.createdAt,
    updatedAt: app.updatedAt,
    settings: app.settings,
    appUsers: (usersOf.get(app.id) ?? []).map((user) => user.email),
    ...(added.get(app.id) as AppMembers),
    destinations: (destinationsOf.get(app.id) ?? []).map(({ id, name, storeType, position }) => ({
      id,
      name,
      storeType,
      integrationInstallationId: storeOf(
        storesOf.get(app.id) ?? [],
        position === 0 ? [id, null] : [id]
      ),
    })),
    steps: (stepsOf.get(app.id) ?? []).map((step) => ({
      id: step.id,
      name: step.name,
      type: step.type,
      groupIndex: step.groupIndex,
      position: step.position,
      releaseTypes: step.releaseTypes,
      destinationId: step.destinationId,
    })),
  }))
}

type Stores = Awaited<ReturnType<typeof storeIntegrations>>

/** Returns the store's identifier of the app, from the first of its store integrations. */
function bundleIdOf(stores: Stores): string | null {
  const bundleIds = stores.map(({ data }) => data.bundleId)
  return bundleIds.find((each) => typeof each === 'string') ?? null
}

/**
 * Returns the store integration of a destination. The first destination has those of the app
 * itself.
 */
function storeOf(stores: Stores, destinationIds: readonly (string | null)[]): string | null {
  return stores.find((each) => destinationIds.includes(each.destinationId))?.id ?? null
}

/** Returns the members that extensions add to each app. */
async function addedMembers(
  scope: Scope,
  ids: readonly string[]
): Promise<Map<string, AppMembers>> {
  const added = new Map<string, AppMembers>()
  for (const { entity } of appExtensions.all) {
    if (!entity) continue
    const members = await entity.of(scope, ids)
    for (const id of ids) {
      added.set(id, { ...added.get(id), ...(members.get(id) ?? entity.none) } as AppMembers)
    }
  }
  return added
}
