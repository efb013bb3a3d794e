import type App from '#apps/models/app'
import type Destination from '#apps/models/destination'
import StepConfig from '#apps/models/step_config'
import type { WorkflowStepGroup } from '#apps/settings'
import { destinationsOf } from '#apps/store_destinations'
import { configuredRules } from '#comparison/approvals/change_rules'
import Bucket from '#distribution/models/bucket'
import type { Scope } from '#foundation/core/scope'
import type { BucketConfiguration, BucketMember } from '#distribution/settings'
import { fixForm } from '#fixes/triage/form'
import { integrationConfigurations } from '#integrations/queries/app_integrations'
import { configuredNotifications } from '#notifications/configured_notifications'
import { configuredCadence } from '#planning/cadence/configured_cadence'
import { configuredAutomations, configuredFreezes } from '#planning/plans/configured_plan'
import { configuredRollouts } from '#rollouts/configured_rollouts'
import type { AppConfiguration } from '../model.js'

/** Loads an app as its configuration file describes it. */
export async function loadConfiguration(scope: Scope, app: App): Promise<AppConfiguration> {
  const [, ...destinations] = await destinationsOf(scope, app.id)
  return {
    name: app.name,
    platform: app.platform,
    appGroup: app.appGroup,
    icon: app.iconUrl,
    integrations: await integrationConfigurations(scope, app.id),
    buckets: await loadBuckets(scope, app.id),
    appSettings: app.settings,
    appUsers: await loadAppUsers(scope, app.id),
    branchSettings: app.branchSettings,
    tagSettings: app.tagSettings,
    featureAffiliations: app.featureAffiliations,
    appStoreReleaseSettings: app.appStoreReleaseSettings,
    ...(await configuredRollouts(scope, app.id)),
    stepGroups: await loadStepGroups(scope, app.id, destinations),
    destinations: destinations.map(({ name, appStoreReleaseSettings }) => ({
      name,
      appStoreReleaseSettings,
    })),
    scheduleCadence: await configuredCadence(scope, app.id),
    lifecycleFreezes: await configuredFreezes(scope, app.id),
    automations: await configuredAutomations(scope, app.id),
    notifications: await configuredNotifications(scope, app.id),
    fixForm: await fixForm(scope, app.id),
    changeApprovals: await configuredRules(scope, app.id),
  }
}

/** Loads the buckets. Personal and archived buckets are not part of the configuration. */
async function loadBuckets(scope: Scope, appId: string): Promise<BucketConfiguration[]> {
  const buckets = await scope
    .query(Bucket)
    .where({ appId, status: 'active' })
    .orderBy('position')
    .exec()
  const names = await memberNames(
    scope,
    buckets.flatMap((bucket) => bucket.members)
  )
  return buckets.flatMap((bucket) => {
    const { name, type, orgWideAccessEnabled, notificationsEnabled, members, rules } = bucket
    if (type === 'personal') return []
    return {
      name,
      type,
      orgWideAccessEnabled,
      notificationsEnabled,
      members: members.flatMap((member): BucketMember[] => {
        const known = names.get(member.id)
        const { permissionLevel } = member
        return known === undefined ? [] : [{ type: member.type, name: known, permissionLevel }]
      }),
      rules: rules.map(({ id: _, ...rule }) => rule),
      retention: bucket.retention,
    }
  })
}

/** Returns names of groups and addresses of users, by id. Deleted ones are missing. */
async function memberNames(
  scope: Scope,
  members: readonly { id: string }[]
): Promise<Map<string, string>> {
  const ids = members.map(({ id }) => id)
  const groups = await scope.table('groups').whereIn('id', ids).select('id', 'name')
  const users = await scope.table('users').whereIn('id', ids).select('id', 'email')
  return new Map([
    ...groups.map((row): [string, string] => [row.id, row.name]),
    ...users.map((row): [string, string] => [row.id, row.email]),
  ])
}

async function loadAppUsers(scope: Scope, appId: string): Promise<string[]> {
  const rows = await scope
    .table('app_users')
    .join('users', 'users.id', 'app_users.user_id')
    .where('app_users.app_id', appId)
    .orderBy('app_users.position')
    .select('users.email')
  return rows.map((row) => row.email)
}

async function loadStepGroups(
  scope: Scope,
  appId: string,
  destinations: readonly Destination[]
): Promise<WorkflowStepGroup[]> {
  const names = new Map(destinations.map(({ id, name }) => [id, name]))
  const steps = await scope
    .query(StepConfig)
    .where('appId', appId)
    .orderBy('groupIndex')
    .orderBy('position')
    .exec()
  const groups = new Map<number, WorkflowStepGroup>()
  for (const { name, type, releaseTypes, groupIndex, destinationId } of steps) {
    const group = groups.get(groupIndex) ?? { steps: [] }
    const destination = destinationId === null ? undefined : names.get(destinationId)
    const step = { name, archetype: type, releaseTypes }
    group.steps.push(destination === undefined ? step : { ...step, destination })
    groups.set(groupIndex, group)
  }
  return [...groups.values()]
}
