import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * Builds of CI systems with their files, which of them came into which bucket, how long buckets
 * keep builds, and series of custom observability.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('ci_builds', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      // Null once the app uses the integration no more.
      table.string('installation_id', 64).references('integrations.id').onDelete('SET NULL')
      table.string('integration_id', 60).notNullable()
      table.string('build_identifier', 200).notNullable()
      table.string('status', 16).notNullable()
      table.string('branch', 256).notNullable()
      // Of the pull request that was built; null for a build of a branch.
      table.string('base_branch', 256)
      table.string('commit_hash', 64).notNullable()
      table.text('commit_message')
      table.string('commit_author', 320)
      table.string('commit_url', 2048)
      table.string('url', 2048)
      table.string('workflow_id', 200).notNullable()
      table.string('workflow_name', 200).notNullable()
      table.string('started_at', 24).notNullable()
      table.string('finished_at', 24)
      // In normal form; null where nobody told and the branch tells none.
      table.string('version', 32)
      table.string('release_id', 64).references('releases.id').onDelete('SET NULL')
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      table.unique(['installation_id', 'workflow_id', 'build_identifier'])
      table.index(['installation_id', 'created_at', 'id'])
      table.index(['release_id', 'created_at', 'id'])
      table.index(['app_id', 'version'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
    })
    this.schema.createTable('ci_build_files', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('build_id', 64).notNullable().references('ci_builds.id')
      table.string('kind', 16).notNullable()
      table.string('file_name', 255).notNullable()
      table.string('content_type', 255).notNullable()
      table.bigInteger('size')
      // Null until the file is stored.
      table.string('sha256', 64)
      // Null until it is stored, and once it was let go of.
      table.string('file_id', 64).references('stored_files.id')
      table.string('created_at', 24).notNullable()
      table.unique(['build_id', 'kind', 'file_name'])
    })
    // A build of a branch looks for the release that was branched off there.
    this.schema.raw(`create index releases_branch on releases (app_id, release_branch)
      where release_branch is not null`)
    this.schema.createTable('release_candidates', (table) => {
      table.string('release_id', 64).primary().references('releases.id').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      table.string('ci_build_id', 64).notNullable().references('ci_builds.id').onDelete('CASCADE')
      // A person chose it: then it stays.
      table.boolean('by_hand').notNullable()
      table.string('chosen_at', 24).notNullable()
      table.index(['ci_build_id'])
    })
    this.schema.createTable('bucket_landings', (table) => {
      table.string('bucket_id', 64).notNullable().references('buckets.id').onDelete('CASCADE')
      table.string('ci_build_id', 64).notNullable().references('ci_builds.id').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      table.string('landed_at', 24).notNullable()
      table.primary(['bucket_id', 'ci_build_id'])
      table.index(['ci_build_id'])
    })
    this.schema.alterTable('buckets', (table) => {
      table.integer('build_count').notNullable().defaultTo(0)
      table.text('retention')
    })
    this.schema.alterTable('distribution_builds', (table) => {
      table.string('ci_build_id', 64).references('ci_builds.id').onDelete('SET NULL')
      table.index(['ci_build_id'])
    })
    this.schema.raw(`create index distribution_builds_active
      on distribution_builds (bucket_id, created_at, id) where status = 'active'`)
    this.schema.raw(`create index distribution_builds_ending
      on distribution_builds (bucket_id, expires_at)
      where status = 'active' and expires_at is not null`)
    this.schema.raw(`update buckets set build_count = (
      select count(*) from distribution_builds b where b.bucket_id = buckets.id)`)
    this.schema.createTable('metric_series', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table
        .string('installation_id', 64)
        .notNullable()
        .references('integrations.id')
        .onDelete('CASCADE')
      table.string('name', 200).notNullable()
      // Of the parameter that is looked at; empty for the value itself.
      table.string('param', 100).notNullable()
      table.string('unit', 40)
      table.string('version', 32).notNullable()
      // Empty where nobody told.
      table.string('build_number', 64).notNullable()
      table.string('environment', 16).notNullable()
      table.string('created_at', 24).notNullable()
      table.unique(['installation_id', 'name', 'param', 'version', 'build_number', 'environment'], {
        indexName: 'metric_series_key',
      })
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
    this.schema.createTable('metric_points', (table) => {
      table.string('series_id', 64).notNullable().references('metric_series.id').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      // The beginning of five minutes.
      table.string('at', 24).notNullable()
      table.bigInteger('count').notNullable()
      table.double('sum').notNullable()
      table.double('least').notNullable()
      table.double('greatest').notNullable()
      table.primary(['series_id', 'at'])
      table.index(['at'])
    })
  }

  override async down() {
    this.schema.dropTable('metric_points')
    this.schema.dropTable('metric_series')
    this.schema.raw('drop index distribution_builds_active')
    this.schema.raw('drop index distribution_builds_ending')
    this.schema.alterTable('distribution_builds', (table) => {
      table.dropIndex(['ci_build_id'])
      table.dropColumn('ci_build_id')
    })
    this.schema.alterTable('buckets', (table) => {
      table.dropColumn('build_count')
      table.dropColumn('retention')
    })
    this.schema.dropTable('bucket_landings')
    this.schema.raw('drop index releases_branch')
    this.schema.dropTable('release_candidates')
    this.schema.dropTable('ci_build_files')
    this.schema.dropTable('ci_builds')
  }
}
