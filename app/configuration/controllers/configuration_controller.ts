import { appEntities } from '#apps/queries/app_entities'
import { findApp } from '#apps/queries/find_app'
import { created, noContent, ok, type OperationResponse } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { AddDestinationFromConfiguration } from '../actions/add_destination_from_configuration.js'
import { ChangeAppFromConfiguration } from '../actions/change_app_from_configuration.js'
import { CreateAppFromConfiguration } from '../actions/create_app_from_configuration.js'
import { DeleteApp } from '#apps/actions/delete_app'
import { planAppRemoval } from '../queries/plan_app_removal.js'
import { exportConfiguration } from '../queries/export_configuration.js'
import type { Warnings } from '../plan.js'
import type { YamlNode } from '../yaml/tree.js'

export interface DryRun {
  dryRun?: boolean
}

export class ConfigurationController {
  async show({ scope, params: { appId } }: Call): Promise<OperationResponse> {
    return {
      status: 200,
      raw: {
        bytes: await exportConfiguration(scope, appId),
        contentType: 'application/yaml; charset=utf-8',
      },
      headers: { 'content-disposition': `attachment; filename="${appId}.yml"` },
    }
  }

  async create({ scope, body, query, origin }: Call<YamlNode, DryRun>) {
    const action = new CreateAppFromConfiguration(scope)
    if (query.dryRun) return ok(await action.plan(body))
    const { appId, warnings } = await action.handle(body)
    return async () => created(await entity(scope, appId, origin, warnings), `/app/${appId}`)
  }

  async change({ scope, params, body, query, origin }: Call<YamlNode, DryRun>) {
    const action = new ChangeAppFromConfiguration(scope)
    if (query.dryRun) return ok(await action.plan(params.appId, body))
    const warnings = await action.handle(params.appId, body)
    return async () => ok(await entity(scope, params.appId, origin, warnings))
  }

  async addDestination({ scope, params, body, query, origin }: Call<YamlNode, DryRun>) {
    const action = new AddDestinationFromConfiguration(scope)
    if (query.dryRun) return ok(await action.plan(params.appId, body))
    const warnings = await action.handle(params.appId, body)
    return async () =>
      created(await entity(scope, params.appId, origin, warnings), `/app/${params.appId}`)
  }

  async destroy(call: Call<undefined, DryRun & { force?: boolean }>): Promise<OperationResponse> {
    const { scope, params, query } = call
    const isForced = query.force ?? false
    if (query.dryRun) return ok(await planAppRemoval(scope, params.appId, isForced))
    await new DeleteApp(scope).handle(params.appId, isForced)
    return noContent()
  }
}

async function entity(
  scope: Call['scope'],
  appId: string,
  origin: Call['origin'],
  warnings: Warnings
) {
  const [app] = await appEntities(scope, [await findApp(scope, appId)], origin.baseUrl)
  return warnings.length > 0 ? { ...app, warnings } : app
}
