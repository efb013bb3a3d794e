import type { AppStoreReleaseSettings, BranchSettings, WorkflowStep } from '#apps/settings'
import type { BucketConfiguration, BucketRule } from '#distribution/settings'
import { isFollowing, type CadenceConfiguration } from '#planning/cadence/configured_cadence'
import { DEFAULT_FORM, type FixForm } from '#fixes/triage/form'
import { PHASES } from '#planning/calendar/freezes'
import { AUTOMATION_OF, FOLLOW_UPS } from '#planning/vocabulary'
import type { RolloutPolicy } from '#rollouts/policy/policy'
import { WORKFLOW_RELEASE_TYPES } from '#workflow/vocabulary'
import type { AppConfiguration, DestinationConfiguration } from './model.js'

/**
 * A configuration in the form of the file. Maps keep their order here; plain objects would not for
 * keys that look like numbers.
 */
export type DocumentValue =
  | string
  | number
  | boolean
  | readonly DocumentValue[]
  | ReadonlyMap<string, DocumentValue>

export type ConfigurationDocument = ReadonlyMap<string, DocumentValue>

/**
 * Keys that extend the specification: further destinations, the destination of a step, the
 * retention of builds in buckets, cadence, freezes, automations, notifications and fix requests.
 */
export const DESTINATIONS_KEY = 'x-destinations'
export const STEP_DESTINATION_KEY = 'x-destination'
export const RETENTION_KEY = 'x-expireOldBuilds'
export const CADENCE_KEY = 'x-scheduleCadence'
export const FREEZES_KEY = 'x-lifecycleFreezes'
export const AUTOMATIONS_KEY = 'x-automations'
export const NOTIFICATIONS_KEY = 'x-notifications'
export const FIXES_KEY = 'x-fixRequests'
/** Kinds of change between builds that need an approval. */
export const CHANGES_KEY = 'changeApprovals'
/** The part of `appStoreReleaseSettings` that says how rollouts grow automatically. */
export const ROLLOUT_KEY = 'rollout'

/** Returns the whole configuration in the order of the specification, without empty members. */
export function toDocument(app: AppConfiguration): ConfigurationDocument {
  return map({
    name: app.name,
    platform: app.platform,
    appGroup: app.appGroup,
    icon: app.icon,
    integrations: fromIntegrations(app.integrations),
    buildDistro: map({ buckets: keyed(app.buckets, (each) => [each.name, fromBucket(each)]) }),
    appSettings: map({ ...app.appSettings }),
    appUsers: app.appUsers,
    branchSettings: keyed(app.branchSettings, (each) => [each.integration, fromBranches(each)]),
    tagSettings: keyed(app.tagSettings, ({ name, pattern }) => [name, map({ pattern })]),
    featureAffiliations: keyed(app.featureAffiliations, ({ name, integration, type, pattern }) => [
      name,
      map({ integration, type, pattern }),
    ]),
    appStoreReleaseSettings: fromStoreSettings(app.appStoreReleaseSettings, app.rollout),
    stepGroups: fromStepGroups(app.stepGroups),
    [DESTINATIONS_KEY]: keyed(app.destinations, ({ name, appStoreReleaseSettings }) => [
      name,
      map({
        appStoreReleaseSettings: fromStoreSettings(
          appStoreReleaseSettings,
          app.destinationRollouts.find(({ destination }) => destination === name)?.policy ?? null
        ),
      }),
    ]),
    [CADENCE_KEY]: app.scheduleCadence && fromCadence(app.scheduleCadence),
    [FREEZES_KEY]: app.lifecycleFreezes.map((freeze) => map({ ...freeze })),
    [AUTOMATIONS_KEY]: fromAutomations(app.automations),
    [NOTIFICATIONS_KEY]: map(
      Object.fromEntries(
        Object.entries(app.notifications).map(([type, set]) => [type, map({ ...set })])
      )
    ),
    [FIXES_KEY]: fromFixForm(app.fixForm),
    [CHANGES_KEY]: app.changeApprovals.map((rule) => map({ ...rule })),
  })
}

/** Returns a file that adds a destination. */
export function destinationDocument(destination: DestinationConfiguration): ConfigurationDocument {
  return map({
    name: destination.name,
    integrations: fromIntegrations(destination.integrations),
    appStoreReleaseSettings: fromStoreSettings(
      destination.appStoreReleaseSettings,
      destination.rollout
    ),
    stepGroups: fromStepGroups(destination.stepGroups),
  })
}

/** Converts a document, or a part of it, to plain JSON. */
export function toJson(value: DocumentValue): unknown {
  if (value instanceof Map) {
    return Object.fromEntries([...value].map(([key, each]) => [key, toJson(each)]))
  }
  return Array.isArray(value) ? value.map((each) => toJson(each as DocumentValue)) : value
}

function fromIntegrations(integrations: AppConfiguration['integrations']): DocumentValue {
  return keyed(integrations, ({ key, type, provider, data }) => [
    key,
    map({ type, provider, data: fromData(data) }),
  ])
}

/** Returns the settings of fix requests that differ from the default. */
function fromFixForm({ requiredApprovals, fourEyes, fields }: FixForm): DocumentValue {
  return map({
    requiredApprovals:
      requiredApprovals === DEFAULT_FORM.requiredApprovals ? null : requiredApprovals,
    fourEyes: fourEyes === DEFAULT_FORM.fourEyes ? null : fourEyes,
    fields: fields.map((field) => map({ ...field, required: field.required || null })),
  })
}

function fromStoreSettings(
  settings: AppStoreReleaseSettings,
  rollout: RolloutPolicy | null
): ConfigurationDocument {
  return map({ ...settings, [ROLLOUT_KEY]: rollout && fromRollout(rollout) })
}

function fromRollout({ ladder, officeHours, guard, ...policy }: RolloutPolicy): DocumentValue {
  return map({
    ladder: ladder.length === 0 ? null : ladder.map((rung) => map({ ...rung })),
    healthyHours: policy.healthyHours,
    timezone: policy.timezone,
    officeHours: officeHours && map({ ...officeHours }),
    weekdays: policy.weekdays,
    quietDays: policy.quietDays,
    finishWithinDays: policy.finishWithinDays,
    call: policy.call,
    guard: guard && map({ ...guard, metrics: guard.metrics.map((metric) => map({ ...metric })) }),
    hotfix: policy.hotfix,
    stops: policy.stops,
  })
}

function fromCadence(configured: CadenceConfiguration): DocumentValue {
  if (isFollowing(configured)) return map({ ...configured })
  const { targets, exceptions, absences, ...cadence } = configured
  const { kickoff, submit, release } = targets
  return map({
    enabled: cadence.enabled,
    paused: cadence.paused,
    intervalWeeks: cadence.intervalWeeks,
    startDate: cadence.startDate,
    timezone: cadence.timezone,
    targets: map({
      kickoff: map({ ...kickoff }),
      submit: submit && map({ ...submit }),
      release: release && map({ ...release }),
    }),
    skipFrozenDates: cadence.skipFrozenDates,
    draftWeeksAhead: cadence.draftWeeksAhead,
    exceptions: exceptions.map((each) => map({ ...each, skipped: each.skipped || null })),
    absences: absences.map((each) => map({ ...each })),
  })
}

function fromAutomations(automations: AppConfiguration['automations']): DocumentValue {
  const types = PHASES.map((phase) => [
    AUTOMATION_OF[phase],
    automations[phase] && map({ ...automations[phase] }),
  ])
  const followUps = FOLLOW_UPS.map((type) => [
    type,
    automations[type] && map({ ...automations[type] }),
  ])
  return map(Object.fromEntries([...types, ...followUps]))
}

function fromStepGroups(groups: AppConfiguration['stepGroups']): DocumentValue {
  return groups.map(({ steps }) => map({ steps: steps.map(stepDocument) }))
}

function fromBucket(bucket: BucketConfiguration): DocumentValue {
  return map({
    type: bucket.type,
    orgWideAccessEnabled: bucket.orgWideAccessEnabled,
    notificationsEnabled: bucket.notificationsEnabled,
    members: keyed(bucket.members, ({ name, permissionLevel }) => [name, permissionLevel]),
    rules: bucket.rules.map(fromRule),
    [RETENTION_KEY]: bucket.retention && map({ ...bucket.retention }),
  })
}

function fromRule(rule: BucketRule): DocumentValue {
  const { branch, baseBranch, type, workflow, fileFilterPatterns } = rule
  return map({ branch, baseBranch, type, workflow, fileFilterPatterns })
}

function fromBranches({ allPattern, hotfixPattern, workingBranch }: BranchSettings): DocumentValue {
  const releaseBranchPatterns = map({
    all: allPattern === null ? null : map({ pattern: allPattern }),
    hotfix: hotfixPattern === null ? null : map({ pattern: hotfixPattern }),
  })
  return map({ releaseBranchPatterns, workingBranch })
}

/** Returns one step of `stepGroups`. */
export function stepDocument({
  name,
  archetype,
  releaseTypes,
  destination,
}: WorkflowStep): ConfigurationDocument {
  const types = WORKFLOW_RELEASE_TYPES.map((type) => [type, releaseTypes[type]] as const)
  return map({
    name,
    archetype,
    releaseTypes: map(
      Object.fromEntries(types.map(([type, given]) => [type, given && map({ ...given })]))
    ),
    [STEP_DESTINATION_KEY]: destination,
  })
}

function fromData(data: AppConfiguration['integrations'][number]['data']): DocumentValue {
  const entries = Object.entries(data).map(([name, value]): [string, DocumentValue] => [
    name,
    Array.isArray(value)
      ? value.map((each) => (typeof each === 'string' ? each : map({ ...each })))
      : value,
  ])
  return new Map(entries)
}

/** Creates an object in the written order, without null or empty members. */
function map(fields: Record<string, DocumentValue | null | undefined>): ConfigurationDocument {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, DocumentValue][] =>
    value === null || value === undefined || isEmpty(value) ? [] : [[name, value]]
  )
  return new Map(entries)
}

function isEmpty(value: DocumentValue): boolean {
  if (value instanceof Map) return value.size === 0
  return Array.isArray(value) && value.length === 0
}

/** Creates a map with keys chosen by the author. Empty entries are kept. */
function keyed<Item>(
  items: readonly Item[],
  entry: (item: Item) => [string, DocumentValue]
): ConfigurationDocument {
  return new Map(items.map(entry))
}
