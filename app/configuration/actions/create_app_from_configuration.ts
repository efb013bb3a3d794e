import { CreateApp } from '#apps/actions/create_app'
import { watchApp } from '#builds/work/watch_app'
import { storeBuckets } from '#distribution/store_buckets'
import type { Scope } from '#foundation/core/scope'
import { replaceIntegrations } from '#integrations/store_integrations'
import { checkNewApp } from '../checks/check_configuration.js'
import type { AppConfiguration } from '../model.js'
import { planChange, type PlannedChange } from '../plan.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { demandValid } from '../read_configuration_file.js'
import { storePlan } from '../store_plan.js'
import type { YamlNode } from '../yaml/tree.js'

/** Makes an app of a configuration file, whole or not at all. */
export class CreateAppFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the id of the app
   * @throws app_scope_missing, invalid_configuration
   */
  async handle(root: YamlNode): Promise<string> {
    const configuration = await this.#checked(root)
    const appId = await new CreateApp(this.scope).handle(configuration)
    await storeBuckets(this.scope, appId, configuration.buckets)
    await replaceIntegrations(this.scope, appId, configuration.integrations)
    await storePlan(this.scope, appId, configuration)
    await watchApp(this.scope, appId)
    return appId
  }

  /** What the file would make, without making it. @throws as `handle` does */
  async plan(root: YamlNode): Promise<PlannedChange[]> {
    return planChange(null, await this.#checked(root))
  }

  async #checked(root: YamlNode): Promise<AppConfiguration> {
    return demandValid(checkNewApp(root, await loadCheckContext(this.scope, null)))
  }
}
