import { as, select } from '#foundation/core/database/statement'
import { integer } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'

const NUMBERS = select(
  { number: as(integer(), 'c.pull_request') },
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.pull_request is not null`
)

/** Returns the numbers of the pull requests that commits of a release name as their own. */
export const mergedPulls = async (scope: Scope, releaseId: string): Promise<number[]> =>
  (await scope.rows(NUMBERS, { releaseId })).map(({ number }) => number)
