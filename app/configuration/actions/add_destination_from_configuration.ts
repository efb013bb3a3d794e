import { AddDestination } from '#apps/actions/add_destination'
import { findApp } from '#apps/queries/find_app'
import type { Scope } from '#foundation/core/scope'
import { checkNewDestination } from '../checks/check_configuration.js'
import type { DestinationConfiguration } from '../model.js'
import { planDestination, type PlannedChange } from '../plan.js'
import { planReach } from '../queries/plan_reach.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { loadConfiguration } from '../queries/load_configuration.js'
import { demandValid } from '../read_configuration_file.js'
import type { YamlNode } from '../yaml/tree.js'

/** Adds a destination and its steps to the workflow of an app. */
export class AddDestinationFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, invalid_configuration, destination_taken */
  async handle(appId: string, root: YamlNode): Promise<void> {
    await new AddDestination(this.scope).handle(appId, await this.#checked(appId, root))
  }

  /** What the file would add, without adding it. @throws as `handle` does */
  async plan(appId: string, root: YamlNode): Promise<PlannedChange[]> {
    const wanted = await this.#checked(appId, root)
    const reach = await planReach(this.scope, appId, (rehearsal) =>
      new AddDestination(rehearsal).handle(appId, wanted)
    )
    return [...planDestination(wanted), ...reach]
  }

  async #checked(appId: string, root: YamlNode): Promise<DestinationConfiguration> {
    const current = await loadConfiguration(this.scope, await findApp(this.scope, appId))
    return demandValid(checkNewDestination(root, await loadCheckContext(this.scope, current)))
  }
}
