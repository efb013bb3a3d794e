import type { AppPart } from '#apps/parts'
import { agendaEntries } from '#foundation/core/agenda/tables'
import { of, select } from '#foundation/core/database/statement'
import type { ReleasePart } from '#releases/parts'
import { branchKind } from './branches/branch_kind.js'
import { cancelBranch, followBranch, isBranchUnderWay } from './branches/wish_branch.js'
import { cancelCodeWishes, openSubjects } from './cancel_wishes.js'

const RETRIED_BRANCH = select(
  of(agendaEntries, 'e', ['lookAt', 'lastError']),
  `from agenda_entries e where e.organization_id = :org and e.kind = '${branchKind.name}'
    and e.subject = :id and e.finished_at is null and e.state = 'planned' and e.claim_id is null
    and e.last_error is not null`
)

/** What version control does for a release follows the release, and ends with it. */
export const versionControlPart: ReleasePart = {
  name: 'versionControl',
  lifecycle: {
    // Settings say what branches are called and cut from.
    async adopt(scope, release) {
      if (await isBranchUnderWay(scope, release)) scope.touch(release)
    },
    planAhead: followBranch,
    // Whoever completes a release by hand leaves the code as it was asked for; no branch is cut.
    closed: (scope, release) =>
      release.status === 'skipped'
        ? cancelCodeWishes(scope, release.id)
        : cancelBranch(scope, release),
    remove: (scope, release) => cancelCodeWishes(scope, release.id),
  },
  presentation: {
    async expected(scope, { id }) {
      const rows = await scope.rows(RETRIED_BRANCH, { id })
      return rows.map(({ lookAt, lastError: error }) => ({
        // What is planned has a time.
        at: lookAt!,
        what: 'branch',
        message: `The branch is asked for again: ${error}`.slice(0, 1000),
      }))
    },
  },
}

/** What was asked for goes with the app, before the releases that it was asked for. */
export const versionControlAppPart: AppPart = {
  async remove(scope, app) {
    for (const id of await openSubjects(scope, app.id)) await cancelCodeWishes(scope, id)
  },
}
