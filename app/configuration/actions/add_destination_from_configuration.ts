import { AddDestination } from '#apps/actions/add_destination'
import { findApp } from '#apps/queries/find_app'
import type { Scope } from '#foundation/core/scope'
import { appendIntegrations } from '#integrations/store_integrations'
import { SetPolicy } from '#rollouts/actions/set_policy'
import { checkNewDestination } from '../checks/check_configuration.js'
import type { CheckContext } from '../checks/context.js'
import type { AppConfiguration, DestinationConfiguration } from '../model.js'
import { planDestination, withWarnings, type PlannedChange, type Warnings } from '../plan.js'
import { planReach } from '../queries/plan_reach.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { loadConfiguration } from '../queries/load_configuration.js'
import { requireValid, type Valid } from '../read_configuration_file.js'
import type { YamlNode } from '../yaml/tree.js'

interface Current {
  current: AppConfiguration
}

/** Adds a destination and its steps to the workflow of an app. */
export class AddDestinationFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the warnings about the file
   * @throws not_found, invalid_configuration, destination_taken
   */
  async handle(appId: string, root: YamlNode): Promise<Warnings> {
    const { value: wanted, warnings } = await this.#checked(appId, root)
    const changes = planDestination(wanted)
    const destinationId = await new AddDestination(this.scope).handle(appId, wanted, changes)
    await appendIntegrations(this.scope, { appId, destinationId }, wanted.integrations)
    await new SetPolicy(this.scope).store(appId, destinationId, wanted.rollout)
    return warnings
  }

  /** Returns what the file would add, without adding it. @throws as `handle` does */
  async plan(appId: string, root: YamlNode): Promise<PlannedChange[]> {
    const { value: wanted, warnings } = await this.#checked(appId, root)
    const changes = withWarnings(planDestination(wanted), warnings)
    const reach = await planReach(this.scope, appId, async (rehearsal) => {
      await new AddDestination(rehearsal).handle(appId, wanted, changes)
    })
    return [...changes, ...reach]
  }

  async #checked(appId: string, root: YamlNode): Promise<Valid<DestinationConfiguration>> {
    const current = await loadConfiguration(this.scope, await findApp(this.scope, appId))
    const context = await loadCheckContext(this.scope, current, appId)
    const checked = checkNewDestination(root, context)
    if (!checked.ok) await this.#requireAnother(appId, root, context)
    return requireValid(checked)
  }

  /**
   * Refuses a file that names an existing destination, if its only other problems are conflicts
   * with what the app already has: it adds the same destination again.
   * @throws destination_taken
   */
  async #requireAnother(appId: string, root: YamlNode, context: CheckContext & Current) {
    const current = { ...context.current, stepGroups: [], integrations: [] }
    const alone = checkNewDestination(root, { ...context, current })
    if (alone.ok) await new AddDestination(this.scope).requireFree(appId, alone.value.name)
  }
}
