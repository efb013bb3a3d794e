import { appEntities } from '#apps/queries/app_entities'
import { findApp } from '#apps/queries/find_app'
import { publicUrl } from '#foundation/api/http/public_url'
import { created, noContent, ok, type Answer } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { AddDestinationFromConfiguration } from '../actions/add_destination_from_configuration.js'
import { ChangeAppFromConfiguration } from '../actions/change_app_from_configuration.js'
import { CreateAppFromConfiguration } from '../actions/create_app_from_configuration.js'
import { DeleteApp } from '../actions/delete_app.js'
import { exportConfiguration } from '../queries/export_configuration.js'
import type { YamlNode } from '../yaml/tree.js'

export interface DryRun {
  dryRun?: boolean
}

export class ConfigurationController {
  async show({ scope, params: { appId } }: Call): Promise<Answer> {
    return {
      status: 200,
      raw: {
        bytes: await exportConfiguration(scope, appId),
        contentType: 'application/yaml; charset=utf-8',
      },
      headers: { 'content-disposition': `attachment; filename="${appId}.yml"` },
    }
  }

  async create({ scope, body, query, http }: Call<YamlNode, DryRun>): Promise<Answer> {
    const action = new CreateAppFromConfiguration(scope)
    if (query.dryRun) return ok(await action.plan(body))
    const appId = await action.handle(body)
    return created(await entity(scope, appId, http), `/app/${appId}`)
  }

  async change({ scope, params, body, query, http }: Call<YamlNode, DryRun>): Promise<Answer> {
    const action = new ChangeAppFromConfiguration(scope)
    if (query.dryRun) return ok(await action.plan(params.appId, body))
    await action.handle(params.appId, body)
    return ok(await entity(scope, params.appId, http))
  }

  async addDestination(call: Call<YamlNode, DryRun>): Promise<Answer> {
    const { scope, params, body, query, http } = call
    const action = new AddDestinationFromConfiguration(scope)
    if (query.dryRun) return ok(await action.plan(params.appId, body))
    await action.handle(params.appId, body)
    return created(await entity(scope, params.appId, http), `/app/${params.appId}`)
  }

  async destroy(call: Call<undefined, DryRun & { force?: boolean }>): Promise<Answer> {
    const { scope, params, query } = call
    const action = new DeleteApp(scope)
    if (query.dryRun) return ok(await action.plan(params.appId, query.force ?? false))
    await action.handle(params.appId, query.force ?? false)
    return noContent()
  }
}

async function entity(scope: Call['scope'], appId: string, http: Call['http']) {
  const [app] = await appEntities(scope, [await findApp(scope, appId)], publicUrl(http))
  return app
}
