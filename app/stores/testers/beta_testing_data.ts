import { entity, id, list, nonEmpty, nullable, object } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import type { RunRow } from '#releases/queries/run_rows'
import { askedMembers, shownAsked } from '../asked_members.js'
import { storeBuildsOfRelease } from '../queries/store_builds.js'
import { MOST_OF_TEST_NOTES } from '../vocabulary.js'

/** The most groups that a build is given to at once, and the most languages of its notes. */
export const MOST_GROUPS = 50

const DistributionEntity = entity(
  'BetaDistributionEntity',
  'Groups of testers that a build was last to be given to.',
  {
    appStoreBuildId: id('Id of the build.'),
    buildNumber: nonEmpty('Its number (Apple) or version code (Google).', 64),
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    groups: list('The groups, as they were named.', nonEmpty('Name or id.', 200), MOST_GROUPS),
    notes: list(
      'Test notes by language.',
      object('Test notes in one language.', {
        locale: nonEmpty('BCP-47 tag of the language.', 35),
        text: nonEmpty('What is to be tested.', MOST_OF_TEST_NOTES.apple),
      }),
      MOST_GROUPS
    ),
    ...askedMembers,
  }
)

export const BetaTestingStepRunData = entity(
  'BetaTestingStepRunData',
  'What a run of a beta testing step holds.',
  {
    distributions: list(
      'The builds of the release that were to be given to testers from here.',
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
