import { CreateApp } from '#apps/actions/create_app'
import { watchApp } from '#builds/work/watch_app'
import { storeBuckets } from '#distribution/store_buckets'
import type { Scope } from '#foundation/core/scope'
import { replaceIntegrations } from '#integrations/store_integrations'
import { checkNewApp } from '../checks/check_configuration.js'
import { readPast } from '../read_past.js'
import type { AppConfiguration } from '../model.js'
import { planChange, withWarnings, type PlannedChange, type Warnings } from '../plan.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { requireValid, type Valid } from '../read_configuration_file.js'
import { storePlan } from '../store_plan.js'
import type { YamlNode } from '../yaml/tree.js'

/** Creates an app from a configuration file, completely or not at all. */
export class CreateAppFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the id of the app, and the warnings about the file
   * @throws app_scope_missing, invalid_configuration
   */
  async handle(root: YamlNode): Promise<{ appId: string; warnings: Warnings }> {
    const { value: configuration, warnings } = await this.#checked(root)
    const appId = await new CreateApp(this.scope).handle(configuration)
    await storeBuckets(this.scope, appId, configuration.buckets)
    await replaceIntegrations(this.scope, appId, configuration.integrations)
    await storePlan(this.scope, appId, configuration)
    await watchApp(this.scope, appId)
    await readPast(this.scope, appId)
    return { appId, warnings }
  }

  /** Returns what the file would create, without creating it. @throws as `handle` does */
  async plan(root: YamlNode): Promise<PlannedChange[]> {
    const { value, warnings } = await this.#checked(root)
    return withWarnings(planChange(null, value), warnings)
  }

  async #checked(root: YamlNode): Promise<Valid<AppConfiguration>> {
    return requireValid(checkNewApp(root, await loadCheckContext(this.scope, null)))
  }
}
