import { BaseSchema } from '@adonisjs/lucid/schema'

/**
 * The builds that runs of release candidate steps have had, builds that were asked of a CI system,
 * and the branches whose builds are looked for.
 */
export default class extends BaseSchema {
  override async up() {
    this.schema.createTable('run_builds', (table) => {
      table.string('step_run_id', 64).notNullable()
      table.string('ci_build_id', 64).notNullable().references('ci_builds.id').onDelete('CASCADE')
      table.string('organization_id', 64).notNullable()
      table.string('release_id', 64).notNullable().references('releases.id').onDelete('CASCADE')
      // When the run took it for its active build, the last time.
      table.string('active_since', 24).notNullable()
      table.primary(['step_run_id', 'ci_build_id'])
      table.index(['ci_build_id'])
      table.index(['release_id'])
    })
    this.schema.alterTable('ci_builds', (table) => {
      // Asked for, and the CI system has not told its own identifier yet.
      table.boolean('is_requested').notNullable().defaultTo(false)
    })
    this.schema.createTable('release_branch_watches', (table) => {
      table.string('release_id', 64).primary()
      table.string('organization_id', 64).notNullable()
      table.string('integration_id', 64).notNullable()
      table.string('branch', 256).notNullable()
    })
  }

  override async down() {
    this.schema.dropTable('release_branch_watches')
    this.schema.alterTable('ci_builds', (table) => table.dropColumn('is_requested'))
    this.schema.dropTable('run_builds')
  }
}
