import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Builds of CI, and which of them counts for a release. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
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
      // Target branch of the pull request that was built; null for a build of a branch.
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
      // In normal form; null if it is not stated and the branch does not show one.
      table.string('version', 32)
      table.string('release_id', 64).references('releases.id').onDelete('SET NULL')
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      // Requested, and the CI system has not reported its own identifier yet.
      table.boolean('is_requested').notNullable().defaultTo(false)
      table.unique(['installation_id', 'workflow_id', 'build_identifier'])
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
      table.index(['app_id', 'commit_hash'])
      table.index(['app_id', 'version'])
      table.index(['installation_id', 'created_at', 'id'])
      table.index(['release_id', 'created_at', 'id'])
      table.unique(referred)
    })
    this.schema.raw(`
      create index ci_builds_of_branches on ci_builds (app_id, created_at, id)
      where release_id is null`)

    this.schema.createTable('ci_build_files', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('build_id', 64).notNullable()
      table.string('kind', 16).notNullable()
      table.string('file_name', 255).notNullable()
      table.string('content_type', 255).notNullable()
      table.bigInteger('size')
      // Null until the file is stored.
      table.string('sha256', 64)
      // Null until it is stored, and once it was let go of.
      table.string('file_id', 64)
      table.string('created_at', 24).notNullable()
      table.text('source')
      table.text('failure')
      table.unique(['build_id', 'kind', 'file_name'])
      table.index(['file_id'], 'ci_build_files_file_id_lookup')
      table
        .foreign(['organization_id', 'build_id'])
        .references(['organization_id', 'id'])
        .inTable('ci_builds')
      table
        .foreign(['organization_id', 'file_id'])
        .references(['organization_id', 'id'])
        .inTable('stored_files')
    })

    this.schema.createTable('release_candidates', (table) => {
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('ci_build_id', 64).notNullable()
      // A person chose it: then it stays.
      table.boolean('by_hand').notNullable()
      table.string('chosen_at', 24).notNullable()
      table.string('succeeded_build_id', 64).references('ci_builds.id').onDelete('SET NULL')
      table.index(['ci_build_id'])
      table.index(['succeeded_build_id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'ci_build_id'])
        .references(['organization_id', 'id'])
        .inTable('ci_builds')
        .onDelete('CASCADE')
    })

    this.schema.createTable('run_builds', (table) => {
      table.string('step_run_id', 64).notNullable()
      table.string('ci_build_id', 64).notNullable()
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      // When the run last took it for its active build.
      table.string('active_since', 24).notNullable()
      table.primary(['step_run_id', 'ci_build_id'])
      table.index(['ci_build_id'])
      table.index(['release_id'])
      table
        .foreign(['organization_id', 'ci_build_id'])
        .references(['organization_id', 'id'])
        .inTable('ci_builds')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })

    this.schema.createTable('release_branch_watches', (table) => {
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('branch', 256).notNullable()
      table.index(['integration_id'])
    })

    this.schema.createTable('app_build_watches', (table) => {
      table.string('app_id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('since', 24).notNullable()
      table.index(['integration_id'], 'app_build_watches_integration_id_lookup')
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
    })
  }
}
