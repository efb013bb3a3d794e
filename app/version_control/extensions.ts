import type { AppExtension } from '#apps/extensions'
import { jobs } from '#foundation/core/jobs/tables'
import { of, select } from '#foundation/core/database/statement'
import type { ReleaseExtension } from '#releases/extensions'
import { branchKind } from './branches/branch_kind.js'
import { cancelBranch, followBranch, isBranchUnderWay } from './branches/request_branch.js'
import { cancelCodeCommands, openSubjects } from './cancel_commands.js'

const RETRIED_BRANCH = select(
  of(jobs, 'e', ['visibleAt', 'lastError']),
  `from jobs e where e.organization_id = :org and e.kind = '${branchKind.name}'
    and e.subject = :id and e.finished_at is null and e.state = 'planned' and e.claim_id is null
    and e.last_error is not null`
)

/** Extends releases by version control: its calls follow the release and end with it. */
export const versionControlExtension: ReleaseExtension = {
  name: 'versionControl',
  lifecycle: {
    // Settings name branches and their sources.
    async adopt(scope, release) {
      if (await isBranchUnderWay(scope, release)) scope.touch(release)
    },
    planAhead: followBranch,
    // Completing a release by hand keeps requested changes to the code; only the branch is not cut.
    closed: (scope, release) =>
      release.status === 'skipped'
        ? cancelCodeCommands(scope, release.id)
        : cancelBranch(scope, release),
    remove: (scope, release) => cancelCodeCommands(scope, release.id),
  },
  presentation: {
    async expected(scope, { id }) {
      const rows = await scope.rows(RETRIED_BRANCH, { id })
      return rows.map(({ visibleAt, lastError: error }) => ({
        // Planned jobs always have a time.
        at: visibleAt!,
        what: 'branch',
        message: `The branch is requested again: ${error}`.slice(0, 1000),
      }))
    },
  },
}

/** Cancels the calls for releases before the releases of the app are removed. */
export const versionControlAppExtension: AppExtension = {
  async remove(scope, app) {
    for (const id of await openSubjects(scope, app.id)) await cancelCodeCommands(scope, id)
  },
}
