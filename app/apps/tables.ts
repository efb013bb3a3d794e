import { instant, json, optional, table, text, integer } from '#foundation/core/database/table'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type {
  AppSettings,
  AppStoreReleaseSettings,
  BranchSettings,
  FeatureAffiliation,
  StepReleaseTypes,
  TagSettings,
} from './settings.js'
import type { AppPlatform, StoreKind } from './vocabulary.js'

/** An icon that could not be fetched. */
interface IconFailure {
  url: string
  reason: string
  at: string
}

/**
 * Apps with their settings. The id is a slug of name and platform, and stays when the name changes.
 */
export const apps = table('apps', {
  id: text(),
  organizationId: text(),
  name: text(),
  platform: text<AppPlatform>(),
  appGroup: optional(text()),
  iconUrl: optional(text()),
  iconFile: optional(text()),
  /** The reason why the picture at `iconUrl` is missing. */
  iconFailure: optional(json<IconFailure>()),
  settings: json<AppSettings>(),
  branchSettings: json<BranchSettings[]>(),
  tagSettings: json<TagSettings[]>(),
  featureAffiliations: json<FeatureAffiliation[]>(),
  appStoreReleaseSettings: json<AppStoreReleaseSettings>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The users of an app, in order. */
export const appUsers = table('app_users', {
  organizationId: text(),
  appId: text(),
  userId: text(),
  position: integer(),
})

/** Stores, bundle ids or labels that an app's releases go to. */
export const destinations = table('destinations', {
  id: text(),
  organizationId: text(),
  appId: text(),
  name: text(),
  storeType: text<StoreKind>(),
  position: integer(),
  appStoreReleaseSettings: json<AppStoreReleaseSettings>(),
  createdAt: instant(),
})

/** The steps of an app's workflow. Releases hold copies of them. */
export const stepConfigs = table('step_configs', {
  id: text(),
  organizationId: text(),
  appId: text(),
  name: text(),
  type: text<ReleaseStepType>(),
  groupIndex: integer(),
  position: integer(),
  releaseTypes: json<StepReleaseTypes>(),
  destinationId: optional(text()),
  createdAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    apps: typeof apps
    app_users: typeof appUsers
    destinations: typeof destinations
    step_configs: typeof stepConfigs
  }
}
