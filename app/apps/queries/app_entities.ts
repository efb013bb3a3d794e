import type { Scope } from '#foundation/core/scope'
import { appParts, type AppMembers } from '../parts.js'
import type { AppEntity } from '../entities.js'
import type App from '../models/app.js'
import Destination from '../models/destination.js'
import StepConfig from '../models/step_config.js'

/** Apps as the API shows them; a fixed number of queries however many there are. */
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
  const added = await addedMembers(scope, ids)
  return apps.map((app) => ({
    id: app.id,
    orgId: app.organizationId,
    name: app.name,
    platform: app.platform,
    appGroup: app.appGroup,
    iconUrl: app.iconFile ? `${baseUrl}/icons/${app.iconFile}` : app.iconUrl,
    iconFailure: app.iconFailure,
    // Known from the app's store integration, once it has one.
    bundleId: null,
    createdAt: app.createdAt,
    updatedAt: app.updatedAt,
    settings: app.settings,
    appUsers: users.filter((user) => user.app_id === app.id).map((user) => user.email),
    ...(added.get(app.id) as AppMembers),
    destinations: destinations
      .filter((destination) => destination.appId === app.id)
      .map(({ id, name, storeType }) => ({ id, name, storeType, integrationInstallationId: null })),
    steps: steps
      .filter((step) => step.appId === app.id)
      .map((step) => ({
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

/** What parts add to each app. */
async function addedMembers(
  scope: Scope,
  ids: readonly string[]
): Promise<Map<string, AppMembers>> {
  const added = new Map<string, AppMembers>()
  for (const { entity } of appParts.parts) {
    if (!entity) continue
    const members = await entity.of(scope, ids)
    for (const id of ids) {
      added.set(id, { ...added.get(id), ...(members.get(id) ?? entity.none) } as AppMembers)
    }
  }
  return added
}
