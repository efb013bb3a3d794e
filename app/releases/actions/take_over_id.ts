import type { Scope } from '#foundation/core/scope'
import type { Version } from '#workflow/version'
import { versionColumns } from '../queries/version_sql.js'

/** Removes the alias of a version that another release gave up, for the release that has it now. */
export class TakeOverId {
  constructor(private readonly scope: Scope) {}

  async handle(appId: string, version: Version): Promise<void> {
    await this.scope
      .table('release_aliases')
      .where('app_id', appId)
      .where(versionColumns(version))
      .delete()
  }
}
