import Destination from '#apps/models/destination'
import { findApp } from '#apps/queries/find_app'
import { storeKindOf } from '#apps/vocabulary'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import { checkNewDestination } from '../checks/check_configuration.js'
import type { DestinationConfiguration } from '../model.js'
import { planDestination, type PlannedChange } from '../plan.js'
import { loadCheckContext } from '../queries/load_check_context.js'
import { loadConfiguration } from '../queries/load_configuration.js'
import { accepted } from '../read_configuration_file.js'
import type { YamlNode } from '../yaml/tree.js'
import { reachReleases } from './reach_releases.js'
import { appendWorkflow } from './store_workflow.js'

/** Adds a destination and its steps to the workflow of an app. */
export class AddDestinationFromConfiguration {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, invalid_configuration, destination_taken */
  async handle(appId: string, root: YamlNode): Promise<void> {
    const { scope } = this
    const { name, appStoreReleaseSettings, stepGroups } = await this.#checked(appId, root)
    const app = await findApp(scope, appId)
    const others = await scope.query(Destination).where('appId', appId).exec()
    const destination = await scope.create(Destination, {
      id: newId('dest'),
      appId,
      name,
      storeType: storeKindOf(app.platform),
      position: Math.max(-1, ...others.map((other) => other.position)) + 1,
      appStoreReleaseSettings,
      createdAt: scope.now,
    })
    await appendWorkflow(scope, { appId, destinationId: destination.id }, stepGroups)
    app.updatedAt = scope.now
    await app.useTransaction(scope.transaction).save()
    await recordAudit(scope, {
      action: 'destination.added',
      subject: appId,
      data: { destinationId: destination.id, name },
    })
    await reachReleases(scope, app)
  }

  /** What the file would add, without adding it. @throws as `handle` does */
  async plan(appId: string, root: YamlNode): Promise<PlannedChange[]> {
    return planDestination(await this.#checked(appId, root))
  }

  async #checked(appId: string, root: YamlNode): Promise<DestinationConfiguration> {
    const { scope } = this
    const current = await loadConfiguration(scope, await findApp(scope, appId))
    const destinations = await scope.query(Destination).where('appId', appId).exec()
    const context = await loadCheckContext(scope, current)
    const wanted = accepted(checkNewDestination(root, context))
    const same = (name: string) => name.toLowerCase() === wanted.name.toLowerCase()
    const taken = destinations.find((destination) => same(destination.name))
    if (!taken) return wanted
    throw refuse('destination_taken', { detail: `The app has a destination "${taken.name}".` })
  }
}
