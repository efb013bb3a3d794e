import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '#organizations/audit'
import Destination from '../models/destination.js'
import { appExtensions, type ConfigurationChange } from '../extensions.js'
import { findApp } from '../queries/find_app.js'
import type { AppStoreReleaseSettings, WorkflowStepGroup } from '../settings.js'
import { storeKindOf } from '../vocabulary.js'
import { reportedChanges } from '../reported_changes.js'
import { recordAppEvent } from '../record_app_event.js'
import { appendWorkflow } from '../store_workflow.js'

/** A further destination of an app, with the steps it adds to the workflow. */
interface DestinationDefinition {
  name: string
  appStoreReleaseSettings: AppStoreReleaseSettings
  stepGroups: WorkflowStepGroup[]
}

/** Adds a destination and its steps to an app, and applies the change to its open releases. */
export class AddDestination {
  constructor(private readonly scope: Scope) {}

  /**
   * @param changes what is added, as the dry run shows it
   * @returns the id of the destination
   * @throws not_found, destination_taken
   */
  async handle(
    appId: string,
    definition: DestinationDefinition,
    changes: readonly ConfigurationChange[]
  ): Promise<string> {
    const { scope } = this
    const { name, appStoreReleaseSettings, stepGroups } = definition
    const app = await findApp(scope, appId)
    const others = await this.requireFree(appId, name)
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
    recordAppEvent(scope, appId, {
      type: 'app.destinationAdded',
      title: `The destination ${name} was added`,
      data: { destinationId: destination.id, name, changes: reportedChanges(changes) },
    })
    const change = { workflow: true, settings: false, changes }
    for (const extension of appExtensions.all) await extension.adopt?.(scope, app, change)
    return destination.id
  }

  /**
   * Returns the existing destinations after checking that none has the name.
   * @throws destination_taken
   */
  async requireFree(appId: string, name: string): Promise<Destination[]> {
    const destinations = await this.scope.query(Destination).where('appId', appId).exec()
    const key = name.toLowerCase()
    const taken = destinations.find((each) => each.name.toLowerCase() === key)
    if (!taken) return destinations
    throw refuse('destination_taken', {
      detail: `The app already has a destination "${taken.name}".`,
    })
  }
}
