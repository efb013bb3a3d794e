import { DEFAULT_APP_SETTINGS, DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { standardWorkflow } from '#apps/standard_workflow'
import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { ConfigurableBucketType } from '#distribution/vocabulary'
import { DEFAULT_FORM } from '#fixes/triage/form'
import type { BucketConfiguration } from '#distribution/settings'
import type { AppConfiguration, ConfigurationFile, Patch } from './model.js'

/** Names of the two buckets every app has. */
const DEFAULT_BUCKET_NAMES = { rc: 'Release candidates', dev: 'Development' } as const

/** A file with the members that an app requires. */
type CompletableFile = ConfigurationFile & { name: string; platform: AppPlatform }

/** Returns the configuration of a new app: the file, completed with defaults. */
export function completeConfiguration(file: CompletableFile): AppConfiguration {
  return changedConfiguration(emptyConfiguration(file.name, file.platform), file)
}

/**
 * Returns an app's configuration after a file is applied. A given list or map replaces the current
 * one. A missing property is left unchanged, and null resets it to the default.
 */
export function changedConfiguration(
  current: AppConfiguration,
  file: ConfigurationFile
): AppConfiguration {
  const stepGroups = pick(file.stepGroups, current.stepGroups, [])
  return {
    name: file.name ?? current.name,
    platform: current.platform,
    appGroup: pick(file.appGroup, current.appGroup, null),
    icon: pick(file.icon, current.icon, null),
    integrations: pick(file.integrations, current.integrations, []),
    buckets: withRequiredBuckets(pick(file.buckets, current.buckets, [])),
    appSettings: merge(current.appSettings, file.appSettings, DEFAULT_APP_SETTINGS),
    appUsers: pick(file.appUsers, current.appUsers, []),
    branchSettings: pick(file.branchSettings, current.branchSettings, []),
    tagSettings: pick(file.tagSettings, current.tagSettings, []),
    featureAffiliations: pick(file.featureAffiliations, current.featureAffiliations, []),
    appStoreReleaseSettings: merge(
      current.appStoreReleaseSettings,
      file.appStoreReleaseSettings,
      DEFAULT_APP_STORE_RELEASE_SETTINGS
    ),
    rollout: pick(file.rollout, current.rollout, null),
    destinationRollouts: pick(file.destinationRollouts, current.destinationRollouts, []),
    stepGroups:
      stepGroups.length > 0 ? stepGroups : standardWorkflow(storeKindOf(current.platform)),
    destinations: pick(file.destinations, current.destinations, []),
    scheduleCadence: pick(file.scheduleCadence, current.scheduleCadence, null),
    lifecycleFreezes: pick(file.lifecycleFreezes, current.lifecycleFreezes, []),
    automations: pick(file.automations, current.automations, {}),
    notifications: pick(file.notifications, current.notifications, {}),
    fixForm: pick(file.fixForm, current.fixForm, DEFAULT_FORM),
    changeApprovals: pick(file.changeApprovals, current.changeApprovals, []),
  }
}

/** Returns a configuration with only a name and platform, before defaults are added. */
function emptyConfiguration(name: string, platform: AppPlatform): AppConfiguration {
  return {
    name,
    platform,
    appGroup: null,
    icon: null,
    integrations: [],
    buckets: [],
    appSettings: DEFAULT_APP_SETTINGS,
    appUsers: [],
    branchSettings: [],
    tagSettings: [],
    featureAffiliations: [],
    appStoreReleaseSettings: DEFAULT_APP_STORE_RELEASE_SETTINGS,
    rollout: null,
    destinationRollouts: [],
    stepGroups: [],
    destinations: [],
    scheduleCadence: null,
    lifecycleFreezes: [],
    automations: {},
    notifications: {},
    fixForm: DEFAULT_FORM,
    changeApprovals: [],
  }
}

function pick<T>(input: T | null | undefined, current: T, cleared: T): T {
  if (input === undefined) return current
  return input === null ? cleared : input
}

function merge<T extends object>(current: T, input: Patch<T> | null | undefined, defaults: T): T {
  if (input === undefined) return current
  if (input === null) return defaults
  const merged = { ...current }
  for (const key of Object.keys(input) as (keyof T)[]) {
    const value = input[key] as T[keyof T] | null | undefined
    merged[key] = pick(value, current[key], defaults[key])
  }
  return merged
}

/** Adds the missing default buckets. Every app has a candidate and a development bucket. */
function withRequiredBuckets(buckets: BucketConfiguration[]): BucketConfiguration[] {
  const missing = (['rc', 'dev'] as const).filter(
    (type) => !buckets.some((bucket) => bucket.type === type)
  )
  const taken = new Set(buckets.map((bucket) => bucket.name))
  return [...buckets, ...missing.map((type) => defaultBucket(type, taken))]
}

function defaultBucket(
  type: Exclude<ConfigurableBucketType, 'custom'>,
  taken: ReadonlySet<string>
): BucketConfiguration {
  let name: string = DEFAULT_BUCKET_NAMES[type]
  for (let number = 2; taken.has(name); number += 1) {
    name = `${DEFAULT_BUCKET_NAMES[type]} ${number}`
  }
  return {
    name,
    type,
    orgWideAccessEnabled: false,
    notificationsEnabled: false,
    members: [],
    rules: [],
    retention: null,
  }
}
