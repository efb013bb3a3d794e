import type { TProperties } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type App from './models/app.js'
import type StepConfig from './models/step_config.js'

/** Members that higher modules add to an app's entity. Each module declares its own. */
export interface AppMembers {
  readonly __extensions?: never
}

/** One effect of a change to an app's configuration, as the dry run shows it. */
export interface ConfigurationChange {
  op: 'add' | 'change' | 'remove'
  path: string
  from: unknown
  to: unknown
  effect: string
}

/** The effects of a change of an app: on its workflow, on its settings, and each in detail. */
interface AppChange {
  workflow: boolean
  settings: boolean
  changes: readonly ConfigurationChange[]
}

/** An integration of an app after a change. */
interface KeptIntegration {
  type: string
  kind: string
  /** Id of its connection, named as in the configuration file. */
  provider: string
  data: Readonly<Record<string, unknown>>
}

/**
 * The integrations of an app that remain after a change. Those of removed destinations are removed
 * with them.
 */
export interface KeptIntegrations {
  /** By key, in their state after the change. */
  integrations: ReadonlyMap<string, KeptIntegration>
  /** Ids of destinations. */
  destinationIds: ReadonlySet<string>
}

/** An extension of apps by a higher module. */
export interface AppExtension {
  /** Members it adds to the app's entity. */
  entity?: {
    schema: TProperties
    /** Returns the members by app id, with a fixed number of queries for any number of apps. */
    of(scope: Scope, appIds: readonly string[]): Promise<Map<string, Partial<AppMembers>>>
    /** Members of an app that `of` does not return. */
    none: Partial<AppMembers>
    /** Example for the API documents. */
    example: Partial<AppMembers>
  }
  /** Called when steps leave the workflow. Moves what was placed on them elsewhere. */
  removeSteps?(scope: Scope, steps: readonly StepConfig[]): Promise<void>
  /** Applies a changed app to what follows it, such as its open releases. */
  adopt?(scope: Scope, app: App, change: AppChange): Promise<void>
  /** Called before an app is changed. @throws a problem when an integration must not change */
  requireChangeable?(scope: Scope, app: App, kept: KeptIntegrations): Promise<void>
  /** Called before an app is deleted. @throws a problem when it must be kept, unless forced */
  requireRemovable?(scope: Scope, app: App, isForced: boolean): Promise<void>
  /** Deletes the data that deleting the app's row does not remove. */
  remove?(scope: Scope, app: App): Promise<void>
}

export const appExtensions = new ExtensionPoint<AppExtension>()
