import { BaseSchema } from '@adonisjs/lucid/schema'

/** What tells where a change is finds it by an index, however many commits and builds there are. */
export default class extends BaseSchema {
  override async up() {
    // Both columns are compared, so that it is chosen before those of all commits of a release.
    this.schema.raw('drop index release_commits_reverting')
    this.schema.raw(
      `create index release_commits_reverting on release_commits (release_id, organization_id)
        where reverts <> '[]'`
    )
    this.schema.raw(
      `create index ci_builds_of_branches on ci_builds (app_id, created_at, id)
        where release_id is null`
    )
  }

  override async down() {
    this.schema.raw('drop index ci_builds_of_branches')
    this.schema.raw('drop index release_commits_reverting')
    this.schema.raw(
      `create index release_commits_reverting on release_commits (release_id) where reverts <> '[]'`
    )
  }
}
