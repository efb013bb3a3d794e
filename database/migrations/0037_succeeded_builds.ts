import { BaseSchema } from '@adonisjs/lucid/schema'

/** The newest build that succeeded stays, while a newer one runs or has failed. */
export default class extends BaseSchema {
  override async up() {
    this.schema.alterTable('release_candidates', (table) => {
      table.string('succeeded_build_id', 64).references('ci_builds.id').onDelete('SET NULL')
      table.index(['succeeded_build_id'])
    })
    this.defer(async (client) => {
      await client.rawQuery(
        `update release_candidates set succeeded_build_id = (
           select b.id from ci_builds b join ci_builds a on a.id = release_candidates.ci_build_id
           where b.release_id = release_candidates.release_id and b.status = 'success'
             and b.base_branch is null and b.installation_id = a.installation_id
             and b.workflow_id = a.workflow_id
           order by b.started_at desc, b.created_at desc, b.id desc limit 1)`
      )
    })
  }

  override async down() {
    this.schema.alterTable('release_candidates', (table) => {
      table.dropIndex(['succeeded_build_id'])
      table.dropColumn('succeeded_build_id')
    })
  }
}
