import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { readStoredFile } from '#foundation/core/files/stored_files'
import { refuse } from '#foundation/core/problems/problem'
import { integrationEntities } from '#integrations/queries/app_integrations'
import type { Kind } from '#plugin-kit/kinds'
import { UploadIcon } from '../actions/upload_icon.js'
import App from '../models/app.js'
import { appEntities } from '../queries/app_entities.js'
import {
  appTimelineEvent,
  appTimelineRows,
  type AppTimelineQuery,
} from '../queries/app_timeline.js'
import { findApp } from '../queries/find_app.js'
import { iconKey, isIconName } from '../icons/store_icon.js'
import type { AppPlatform } from '../vocabulary.js'

export class AppsController {
  async index({
    scope,
    query,
    origin,
  }: Call<undefined, { platform?: AppPlatform; appGroup?: string }>) {
    const apps = await scope
      .query(App)
      .if(query.platform, (q) => q.where('platform', query.platform!))
      .if(query.appGroup, (q) => q.where('appGroup', query.appGroup!))
      .orderBy('id')
      .exec()
    const seen = apps.filter((app) => scope.sees(app.id))
    return ok(await appEntities(scope, seen, origin.baseUrl))
  }

  async show({ scope, params, origin }: Call) {
    const app = await findApp(scope, params.appId)
    const [entity] = await appEntities(scope, [app], origin.baseUrl)
    return ok(entity)
  }

  async icon({ scope, params, body: name, origin }: Call<string>) {
    const shown = await new UploadIcon(scope).handle(params.appId, name)
    return ok({ iconUrl: `${origin.baseUrl}/icons/${shown}` })
  }

  /**
   * Serves an icon without a key: its name cannot be guessed, and pages that show it send no key.
   */
  async showIcon({ params }: Call) {
    const { fileName } = params
    const bytes = isIconName(fileName) ? await readStoredFile(iconKey(fileName)) : null
    if (!bytes) throw refuse('not_found')
    return {
      status: 200,
      raw: { bytes, contentType: 'image/png' },
      headers: {
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      },
    }
  }

  async timeline({ scope, params: { appId }, query }: Call<undefined, AppTimelineQuery>) {
    await findApp(scope, appId)
    return page({
      cursors,
      path: `/app/${appId}/timelineEvents`,
      query: { ...query },
      fetch: (request) => appTimelineRows(scope, appId, query, request),
      keys: (row) => [row.occurredAt, row.id],
      transform: (rows) => rows.map(appTimelineEvent(appId)),
    })
  }

  async integrations({ scope, params, query }: Call<undefined, { kind?: Kind }>) {
    await findApp(scope, params.appId)
    return ok(await integrationEntities(scope, params.appId, query.kind))
  }
}
