import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Numbers that rollouts are judged by. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('metric_series', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('installation_id', 64).notNullable()
      table.string('name', 200).notNullable()
      // The observed parameter; empty for the value itself.
      table.string('param', 100).notNullable()
      table.string('unit', 40)
      table.string('version', 32).notNullable()
      // Empty if unknown.
      table.string('build_number', 64).notNullable()
      table.string('environment', 16).notNullable()
      table.string('created_at', 24).notNullable()
      table.unique(['installation_id', 'name', 'param', 'version', 'build_number', 'environment'], {
        indexName: 'metric_series_key',
      })
      table.unique(referred)
      table
        .foreign(['organization_id', 'installation_id'])
        .references(['organization_id', 'id'])
        .inTable('integrations')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table.index(['app_id', 'name', 'param', 'version'], 'metric_series_app_id_name_lookup')
    })

    this.schema.createTable('metric_points', (table) => {
      table.string('series_id', 64).notNullable()
      table.string('organization_id', 64).notNullable()
      // The beginning of five minutes.
      table.string('at', 24).notNullable()
      table.bigInteger('count').notNullable()
      table.double('sum').notNullable()
      table.double('least').notNullable()
      table.double('greatest').notNullable()
      table.primary(['series_id', 'at'])
      table
        .foreign(['organization_id', 'series_id'])
        .references(['organization_id', 'id'])
        .inTable('metric_series')
        .onDelete('CASCADE')
      table.index(['at'])
    })
  }
}
