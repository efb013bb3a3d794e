import { entity, id, list, nonEmpty, nullable, object } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import type { RunRow } from '#releases/queries/run_rows'
import { askedMembers, shownAsked } from '../asked_members.js'
import { storeBuildsOfRelease } from '../queries/store_builds.js'
import { MAX_OF_TEST_NOTES } from '../vocabulary.js'

/** The most groups that a build is given to at once, and the most languages of its notes. */
export const MAX_GROUPS = 50

const DistributionEntity = entity(
  'BetaDistributionEntity',
  'Latest distribution of a build to testers.',
  {
    appStoreBuildId: id('Id of the build.'),
    buildNumber: nonEmpty('Build number (Apple) or version code (Google).', 64),
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    groups: list(
      'Tester groups, as named in the request.',
      nonEmpty('Name or id.', 200),
      MAX_GROUPS
    ),
    notes: list(
      'Test notes by language.',
      object('Test notes in one language.', {
        locale: nonEmpty('BCP-47 tag of the language.', 35),
        text: nonEmpty('What to test.', MAX_OF_TEST_NOTES.apple),
      }),
      MAX_GROUPS
    ),
    ...askedMembers,
  }
)

export const BetaTestingStepRunData = entity(
  'BetaTestingStepRunData',
  'Data of a run of a beta testing step.',
  {
    distributions: list(
      'Distributions of the release’s builds requested in Tarmac.',
      DistributionEntity,
      1000
    ),
  }
)

/**
 * Returns the requests for the builds of the release. Every run of the step shows their current
 * state.
 */
export async function betaTestingData(scope: Scope, { releaseId }: RunRow) {
  const builds = await storeBuildsOfRelease(scope, releaseId)
  return {
    distributions: builds.flatMap(({ id: buildId, buildNumber, destinationId, distribution }) =>
      distribution === null
        ? []
        : [
            {
              appStoreBuildId: buildId,
              buildNumber,
              destinationId,
              groups: distribution.groups,
              notes: distribution.notes,
              ...shownAsked(distribution),
            },
          ]
    ),
  }
}
