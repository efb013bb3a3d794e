import { hash } from 'node:crypto'
import { BaseSchema } from '@adonisjs/lucid/schema'

interface Installed {
  id: string
  app_id: string
  type: string
  data: string
  settings: string
}

/**
 * Pull requests are of a repository, not of the integration that it is reached by: releases, work
 * items and requests of fixes say of which. What there is was seen in the one that the app has.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.raw('alter table code_pulls rename column integration_id to repository')
    this.schema.alterTable('release_features', (table) => {
      table.string('repository', 64)
    })
    this.schema.alterTable('fix_requests', (table) => {
      table.string('repository', 64)
    })
    this.defer(async (client) => {
      const rows: Installed[] = await client
        .from('integrations')
        .join('connections', 'connections.id', 'integrations.connection_id')
        .where('integrations.kind', 'versionControl')
        .orderBy('integrations.position')
        .orderBy('integrations.id')
        .select('integrations.id', 'integrations.app_id', 'integrations.type')
        .select('integrations.data', 'connections.settings')
      const apps = new Set<string>()
      for (const { id, app_id: appId, type, data, settings } of rows) {
        if (apps.has(appId)) continue
        apps.add(appId)
        const { repoName = '' } = JSON.parse(data)
        const { host, baseUrl } = JSON.parse(settings)
        const words = JSON.stringify([type, host ?? baseUrl ?? '', repoName])
        const repository = hash('sha256', words, 'base64url')
        const own = () => client.from('release_features').where('app_id', appId)
        await client
          .from('code_pulls')
          .where({ app_id: appId, repository: id })
          .update({ repository })
        await own().where('release_range', 'like', `%"${id}"%`).update({ repository })
        await client
          .from('feature_items')
          .where('app_id', appId)
          .where('item_key', 'like', 'pull:%')
          .whereIn('release_id', own().where('repository', repository).select('release_id'))
          .update({ item_key: client.raw(`item_key || ':' || ?`, [repository]) })
        await client
          .from('fix_requests')
          .where('app_id', appId)
          .whereNot('pull_requests', '[]')
          .update({ repository })
      }
    })
  }

  override async down() {
    this.defer(async (client) => {
      const rows: { id: string; item_key: string }[] = await client
        .from('feature_items')
        .where('item_key', 'like', 'pull:%:%')
        .select('id', 'item_key')
      for (const { id, item_key: key } of rows) {
        const [kind, number] = key.split(':')
        await client
          .from('feature_items')
          .where('id', id)
          .update({ item_key: `${kind}:${number}` })
      }
    })
    this.schema.alterTable('fix_requests', (table) => {
      table.dropColumn('repository')
    })
    this.schema.alterTable('release_features', (table) => {
      table.dropColumn('repository')
    })
    this.schema.raw('alter table code_pulls rename column repository to integration_id')
  }
}
