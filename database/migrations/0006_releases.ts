import { BaseSchema } from '@adonisjs/lucid/schema'
import { referredKey } from '#database/referred_key'

/** Releases, their steps and the runs of those. */
export default class extends BaseSchema {
  override async up() {
    const referred = referredKey(this.db.dialect.name)
    this.schema.createTable('releases', (table) => {
      // Internal; the public id is `<app_id>:<version>` and changes with the version.
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('version', 32).notNullable()
      table.integer('version_major').notNullable()
      table.integer('version_minor').notNullable()
      table.integer('version_patch').notNullable()
      table.string('create_type', 16).notNullable()
      table.string('release_type', 16).notNullable()
      table.string('release_name', 200)
      table.text('release_description')
      table.string('status', 16).notNullable()
      table.string('status_before_skip', 16)
      table.string('phase', 16).notNullable()
      table.string('pilot_id', 64)
      table.string('target_kickoff_at', 24)
      table.string('target_submit_at', 24)
      table.string('target_release_at', 24)
      table.integer('in_app_update_priority')
      table.string('kicked_off_at', 24)
      table.string('submitted_at', 24)
      table.string('approved_at', 24)
      table.string('released_at', 24)
      table.string('completed_at', 24)
      table.string('skipped_at', 24)
      table.string('release_branch', 256)
      table.text('base_tag')
      table.text('rollback')
      table.text('hotfix_options')
      table.string('regression_status', 16).notNullable()
      table.boolean('ready_to_submit').notNullable()
      table.boolean('ready_to_release').notNullable()
      table.boolean('automations_paused').notNullable().defaultTo(false)
      // Copy of the app's settings at creation.
      table.text('settings').notNullable()
      table.text('custom_metadata')
      table.text('created_by').notNullable()
      // When time alone may next change the release.
      table.string('next_evaluation_at', 24)
      table.string('created_at', 24).notNullable()
      table.string('updated_at', 24).notNullable()
      // JSON; null until there is one.
      table.text('tag')
      table.string('halted_at', 24)
      // Read from tags or a store; it has no steps.
      table.boolean('imported').notNullable().defaultTo(false)
      // JSON of what it waits for, from its kickoff to its completion.
      table.text('held_by')
      table.unique(['app_id', 'version_major', 'version_minor', 'version_patch'], {
        indexName: 'releases_app_version_unique',
      })
      table.unique(referred)
      table
        .foreign(['organization_id', 'app_id'])
        .references(['organization_id', 'id'])
        .inTable('apps')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'pilot_id'])
        .references(['organization_id', 'id'])
        .inTable('users')
      table.index(['app_id', 'status'])
      table.index(['app_id', 'created_at'], 'releases_created_index')
      table.index(
        ['app_id', 'status', 'version_major', 'version_minor', 'version_patch'],
        'releases_status_version_index'
      )
    })
    this.schema.raw(`
      create index releases_branch on releases (app_id, release_branch)
      where release_branch is not null`)

    // Versions a release had before: their ids answer 308 to the present one.
    this.schema.createTable('release_aliases', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('app_id', 100).notNullable()
      table.string('release_id', 64).notNullable()
      table.integer('version_major').notNullable()
      table.integer('version_minor').notNullable()
      table.integer('version_patch').notNullable()
      table.string('created_at', 24).notNullable()
      table.primary(['app_id', 'version_major', 'version_minor', 'version_patch'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table.index(['release_id'], 'release_aliases_release_index')
    })

    this.schema.createTable('release_steps', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('step_config_id', 64).notNullable()
      table.string('name', 100).notNullable()
      table.string('type', 32).notNullable()
      table.integer('group_index').notNullable()
      table.integer('position').notNullable()
      table.boolean('required').notNullable()
      table.string('destination_id', 64)
      table.string('status', 16).notNullable()
      table.string('status_changed_at', 24)
      table.string('step_run_id', 64).notNullable()
      table.string('workflow_name', 100).notNullable().defaultTo('')
      table.string('workflow_destination', 100)
      table.boolean('in_workflow').notNullable().defaultTo(true)
      table.unique(referred)
      table.unique(['release_id', 'step_config_id'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table.index(['step_config_id'])
    })

    this.schema.createTable('step_runs', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('step_id', 64).notNullable()
      table.integer('attempt').notNullable()
      table.string('status', 16).notNullable()
      table.string('started_at', 24).notNullable()
      table.string('completed_at', 24)
      // Facts of this attempt that its status is derived from.
      table.text('facts').notNullable()
      table.text('notes').notNullable().defaultTo('{}')
      table.unique(['step_id', 'attempt'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table
        .foreign(['organization_id', 'step_id'])
        .references(['organization_id', 'id'])
        .inTable('release_steps')
        .onDelete('CASCADE')
      table.index(['release_id'], 'step_runs_release_index')
    })

    // Things that releases waited for, each from its instant to the next one's.
    this.schema.createTable('release_holds', (table) => {
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      table.string('since', 24).notNullable()
      table.text('hold').notNullable()
      table.primary(['release_id', 'since'])
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
    })

    // Addresses that show a release to people without an account; each is made of its id.
    this.schema.createTable('release_links', (table) => {
      table.string('id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable()
      // JSON.
      table.text('created_by').notNullable()
      table.string('created_at', 24).notNullable()
      table
        .foreign(['organization_id', 'release_id'])
        .references(['organization_id', 'id'])
        .inTable('releases')
        .onDelete('CASCADE')
      table.index(['release_id'], 'release_links_release_index')
    })
  }
}
