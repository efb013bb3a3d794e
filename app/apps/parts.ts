import type { TProperties } from '@sinclair/typebox'
import { ExtensionPoint } from '#foundation/core/extension_point'
import type { Scope } from '#foundation/core/scope'
import type App from './models/app.js'
import type StepConfig from './models/step_config.js'

/** Members that modules above add to an app's entity; each declares its own. */
export interface AppMembers {
  readonly __parts?: never
}

/** One thing that a change of an app's configuration did, in the words of its dry run. */
export interface ConfigurationChange {
  op: 'add' | 'change' | 'remove'
  path: string
  from: unknown
  to: unknown
  effect: string
}

/** The parts of an app that a change touched and others have to follow. */
interface AppChange {
  workflow: boolean
  settings: boolean
  changes: readonly ConfigurationChange[]
}

/** An integration of an app after a change. */
interface KeptIntegration {
  type: string
  kind: string
  /** Id of its connection. */
  provider: string
  data: Readonly<Record<string, unknown>>
}

/** The integrations that remain after a change: those of removed destinations go with them. */
export interface KeptIntegrations {
  /** By their keys, as they are after it. */
  integrations: ReadonlyMap<string, KeptIntegration>
  /** Ids of destinations. */
  destinationIds: ReadonlySet<string>
}

/** The part of a higher module in an app. */
export interface AppPart {
  /** Members it adds to the app's entity. */
  entity?: {
    schema: TProperties
    /** By app id; a fixed number of queries however many there are. */
    of(scope: Scope, appIds: readonly string[]): Promise<Map<string, Partial<AppMembers>>>
    /** The members of an app that `of` does not return. */
    none: Partial<AppMembers>
    /** For the documents. */
    example: Partial<AppMembers>
  }
  /** Steps leave the workflow: what was placed on them goes elsewhere. */
  removeSteps?(scope: Scope, steps: readonly StepConfig[]): Promise<void>
  /** Carries a changed app on into what is open. */
  adopt?(scope: Scope, app: App, change: AppChange): Promise<void>
  /** Asked before an app is changed. @throws a problem that keeps its integrations */
  demandChangeable?(scope: Scope, app: App, kept: KeptIntegrations): Promise<void>
  /** Asked before an app is deleted. @throws a problem that keeps it, unless forced */
  demandRemovable?(scope: Scope, app: App, isForced: boolean): Promise<void>
  /** Deletes what the app's own row does not take along. */
  remove?(scope: Scope, app: App): Promise<void>
}

export const appParts = new ExtensionPoint<AppPart>()
