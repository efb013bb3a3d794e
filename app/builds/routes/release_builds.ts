import { operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { list } from '#foundation/core/schemas'
import { CIBuildEntity } from '../entities.js'
import { exampleCIBuild } from '../examples.js'
import { MAX_SHOWN } from '../queries/release_builds.js'

const builds = lazyController(
  async () =>
    new (await import('../controllers/candidate_builds_controller.js')).CandidateBuildsController()
)

export const operations = [
  operation({
    id: 'listReleaseBuilds',
    surface: 'pages',
    method: 'GET',
    path: '/app/{appId}/release/{releaseId}/candidateBuilds',
    tag: 'Release',
    summary: 'List builds that a release has had',
    description: 'The last builds that were active in runs of the release, the newest first.',
    access: read,
    responses: {
      200: {
        description: 'The builds.',
        schema: list('The builds.', CIBuildEntity, MAX_SHOWN),
        example: [exampleCIBuild],
      },
    },
    handle: (call) => builds.ofRelease(call),
  }),
]
