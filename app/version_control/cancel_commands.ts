import type { Scope } from '#foundation/core/scope'
import { backMergeKind } from './commits/back_merge.js'
import { branchKind } from './branches/branch_kind.js'
import { bumpKind } from './commits/bump_version.js'
import { mergePullKind } from './commits/merge_pull.js'
import { pickKind } from './commits/pick_commits.js'
import { notesKind } from './commits/publish_notes.js'
import { tagKind } from './commits/tag_release.js'

/** The last first, so that none has its turn while the others go. */
const KINDS = [notesKind, mergePullKind, backMergeKind, tagKind, bumpKind, pickKind, branchKind]

/**
 * Takes back what version control is to do for a release; a call that was begun ends without
 * consequence.
 */
export async function cancelCodeCommands(scope: Scope, releaseId: string): Promise<void> {
  for (const kind of KINDS) await scope.jobs.cancel(kind, releaseId)
}

/** Internal ids of the releases of an app that version control is to do something for. */
export async function openSubjects(scope: Scope, appId: string): Promise<string[]> {
  const rows: { subject: string }[] = await scope
    .table('jobs')
    .whereIn(
      'kind',
      KINDS.map(({ name }) => name)
    )
    .whereNull('finished_at')
    .whereIn('subject', scope.table('releases').where('app_id', appId).select('id'))
    .distinct('subject')
  return rows.map(({ subject }) => subject)
}
