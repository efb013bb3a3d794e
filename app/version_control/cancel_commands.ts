import type { Scope } from '#foundation/core/scope'
import { backMergeKind } from './commits/back_merge.js'
import { branchKind } from './branches/branch_kind.js'
import { bumpKind } from './commits/bump_version.js'
import { mergePullKind } from './commits/merge_pull.js'
import { pickKind } from './commits/pick_commits.js'
import { notesKind } from './commits/publish_notes.js'
import { tagKind } from './commits/tag_release.js'

/** In reverse order of execution, so that no command starts while others are cancelled. */
const KINDS = [notesKind, mergePullKind, backMergeKind, tagKind, bumpKind, pickKind, branchKind]

/** Cancels what version control is to do for a release; a running call ends without consequence. */
export async function cancelCodeCommands(scope: Scope, releaseId: string): Promise<void> {
  for (const kind of KINDS) await scope.jobs.cancel(kind, releaseId)
}

/** Returns the internal ids of an app's releases for which commands are open. */
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
