import {
  listDocument,
  notFound,
  resourceDocument,
  type JsonApiRequest,
  type Resource,
} from './json_api.js'
import * as attachments from './attachments.js'
import * as hooks from './hooks.js'
import * as written from './resources.js'
import * as submissions from './submissions.js'
import * as testFlight from './test_flight.js'
import * as versions from './versions.js'
import type { FakeVersion, World } from './world.js'

/** The fake, as routes use it. */
export interface Served {
  readonly world: World
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Versions as reads show them now. */
  shown(): FakeVersion[]
}

/** Returns a document, or null for an answer without a body. */
type Route = (fake: Served, request: JsonApiRequest) => unknown

interface Placed {
  method: string
  pattern: RegExp
  status: number
  route: Route
}

/** Makes a route; `{}` matches one path segment. */
function at(method: string, path: string, route: Route): Placed {
  const pattern = new RegExp(`^${path.replaceAll('{}', '([^/]+)')}$`)
  return { method, pattern, route, status: method === 'POST' ? 201 : 200 }
}

const lookup = (fake: Served) => written.lookupIn(fake.world, fake.shown(), fake.now)

const listed = (fake: Served, request: JsonApiRequest, all: readonly Resource[]) =>
  listDocument(request, all, lookup(fake))

const reported = (fake: Served, request: JsonApiRequest, resource: Resource) =>
  resourceDocument(request, resource, lookup(fake))

/** Writes the answer to a change, which shows the result at once, even if reads lag. */
const made = (fake: Served, request: JsonApiRequest, resource: Resource) =>
  resourceDocument(request, resource, written.lookupIn(fake.world, fake.world.versions, fake.now))

/** Makes a route without an answer body. */
const removing =
  (remove: (world: World, request: JsonApiRequest) => void): Route =>
  ({ world }, request) => {
    remove(world, request)
    return null
  }

const byFilter = (values: string[] | null, value: string) =>
  values === null || values.includes(value)

/** Sorts newest first, for lists that Apple sorts. */
const newest = <Each>(all: readonly Each[], timeOf: (each: Each) => number) =>
  all.toSorted((left, right) => timeOf(right) - timeOf(left))

function shownVersion(fake: Served, id: string): FakeVersion {
  const version = fake.shown().find((each) => each.id === id)
  if (version) return version
  throw notFound('appStoreVersions', id)
}

const listApps: Route = (fake, request) => {
  const bundleIds = request.filter('bundleId')
  const { world } = fake
  const isListed = world.isThere && byFilter(bundleIds, world.bundleId)
  return listed(fake, request, isListed ? [written.appResource(world)] : [])
}

const listVersions: Route = (fake, request) => {
  const [platforms, names] = [request.filter('platform'), request.filter('versionString')]
  const states = request.filter('appVersionState')
  const found = fake
    .shown()
    .filter(({ version, state }) => byFilter(names, version) && byFilter(states, state))
    .filter(() => byFilter(platforms, 'IOS'))
  // Apple does not promise an order.
  return listed(
    fake,
    request,
    found.map((each) => written.versionResource(fake.world, each))
  )
}

const listBuilds: Route = (fake, request) => {
  const { world } = fake
  const [apps, numbers] = [request.filter('app'), request.filter('version')]
  const names = request.filter('preReleaseVersion.version')
  const platforms = request.filter('preReleaseVersion.platform')
  const found = world.builds.filter(
    ({ number, version }) =>
      byFilter(apps, world.appId) &&
      byFilter(numbers, number) &&
      byFilter(names, version) &&
      byFilter(platforms, 'IOS')
  )
  return listed(
    fake,
    request,
    newest(found, ({ uploadedAt }) => uploadedAt).map((each) => written.buildResource(world, each))
  )
}

const listSubmissions: Route = (fake, request) => {
  const { world, now } = fake
  const [apps, platforms] = [request.filter('app'), request.filter('platform')]
  const states = request.filter('state')
  const found = world.submissions
    .filter(({ shownAt }) => shownAt <= now)
    .filter(
      ({ state }) =>
        byFilter(apps, world.appId) && byFilter(platforms, 'IOS') && byFilter(states, state)
    )
  // Apple does not document an order; the fake has the oldest first.
  return listed(
    fake,
    request,
    newest(found, ({ createdAt }) => -createdAt).map((each) =>
      written.submissionResource(world, each)
    )
  )
}

const listReviews: Route = (fake, request) => {
  const ratings = request.filter('rating')
  const found = fake.world.reviews.filter(({ rating }) => byFilter(ratings, String(rating)))
  const sorted = newest(found, (each) => Date.parse(each.at))
  return listed(fake, request, sorted.map(written.reviewResource))
}

const reply: Route = (fake, request) => {
  const id = request.related('review') ?? ''
  const review = fake.world.reviews.find((each) => each.id === id)
  if (!review) throw notFound('customerReviews', id)
  review.reply = { text: request.text('responseBody'), at: fake.now }
  return made(fake, request, written.replyResource(review))
}

const listGroups: Route = (fake, request) => {
  const { world } = fake
  const [apps, ids] = [request.filter('app'), request.filter('id')]
  const found = world.groups.filter(({ id }) => byFilter(apps, world.appId) && byFilter(ids, id))
  return listed(fake, request, found.map(written.groupResource))
}

export const ROUTES: readonly Placed[] = [
  at('GET', '/v1/apps', listApps),
  at('GET', '/v1/apps/{}/appStoreVersions', listVersions),
  at('GET', '/v1/apps/{}/appInfos', (fake, request) =>
    listed(fake, request, [written.infoResource(fake.world)])
  ),
  at('GET', '/v1/apps/{}/customerReviews', listReviews),
  at('GET', '/v1/apps/{}/webhooks', (fake, request) =>
    listed(fake, request, fake.world.hooks.map(written.hookResource))
  ),
  at('GET', '/v1/appStoreVersions/{}', (fake, request) =>
    reported(
      fake,
      request,
      written.versionResource(fake.world, shownVersion(fake, request.params[0]))
    )
  ),
  at('POST', '/v1/appStoreVersions', (fake, request) =>
    made(
      fake,
      request,
      written.versionResource(fake.world, versions.createVersion(fake.world, request, fake.now))
    )
  ),
  at('PATCH', '/v1/appStoreVersions/{}', (fake, request) =>
    made(
      fake,
      request,
      written.versionResource(fake.world, versions.changeVersion(fake.world, request, fake.now))
    )
  ),
  at('POST', '/v1/appStoreVersionPhasedReleases', (fake, request) =>
    made(
      fake,
      request,
      written.phasedResource(versions.createPhased(fake.world, request, fake.now), fake.now)
    )
  ),
  at('PATCH', '/v1/appStoreVersionPhasedReleases/{}', (fake, request) =>
    made(
      fake,
      request,
      written.phasedResource(versions.changePhased(fake.world, request, fake.now), fake.now)
    )
  ),
  at('DELETE', '/v1/appStoreVersionPhasedReleases/{}', removing(versions.removePhased)),
  at('POST', '/v1/appStoreVersionLocalizations', (fake, request) =>
    made(fake, request, written.textResource(versions.createText(fake.world, request, fake.now)))
  ),
  at('PATCH', '/v1/appStoreVersionLocalizations/{}', (fake, request) =>
    made(fake, request, written.textResource(versions.changeText(fake.world, request)))
  ),
  at('POST', '/v1/appInfoLocalizations', (fake, request) =>
    made(fake, request, written.titleResource(versions.createTitle(fake.world, request)))
  ),
  at('PATCH', '/v1/appInfoLocalizations/{}', (fake, request) =>
    made(fake, request, written.titleResource(versions.changeTitle(fake.world, request)))
  ),
  at('POST', '/v1/appStoreVersionReleaseRequests', (fake, request) => {
    const { id } = versions.releaseVersion(fake.world, request, fake.now)
    return made(fake, request, { type: 'appStoreVersionReleaseRequests', id: `release-${id}` })
  }),
  at('GET', '/v1/reviewSubmissions', listSubmissions),
  at('POST', '/v1/reviewSubmissions', (fake, request) =>
    made(
      fake,
      request,
      written.submissionResource(
        fake.world,
        submissions.createSubmission(fake.world, request, fake.now)
      )
    )
  ),
  at('PATCH', '/v1/reviewSubmissions/{}', (fake, request) =>
    made(
      fake,
      request,
      written.submissionResource(
        fake.world,
        submissions.changeSubmission(fake.world, request, fake.now)
      )
    )
  ),
  at('POST', '/v1/reviewSubmissionItems', (fake, request) => {
    const { id } = submissions.addItem(fake.world, request, fake.now)
    return made(fake, request, {
      type: 'reviewSubmissionItems',
      id,
      attributes: { state: 'READY_FOR_REVIEW' },
    })
  }),
  at('DELETE', '/v1/appStoreVersionSubmissions/{}', removing(submissions.removeOldSubmission)),
  at('GET', '/v1/appStoreVersions/{}/appStoreReviewDetail', (fake, request) => {
    const { detail } = shownVersion(fake, request.params[0])
    if (!detail) throw notFound('appStoreReviewDetails', request.params[0])
    return reported(fake, request, written.detailResource(detail))
  }),
  at('POST', '/v1/appStoreReviewDetails', (fake, request) =>
    made(
      fake,
      request,
      written.detailResource(attachments.createDetail(fake.world, request, fake.now))
    )
  ),
  at('POST', '/v1/appStoreReviewAttachments', (fake, request) => {
    const { attachment, operations } = attachments.reserve(fake.world, request)
    return made(fake, request, written.attachmentResource(attachment, operations))
  }),
  at('PATCH', '/v1/appStoreReviewAttachments/{}', (fake, request) =>
    made(fake, request, written.attachmentResource(attachments.commit(fake.world, request)))
  ),
  at('DELETE', '/v1/appStoreReviewAttachments/{}', removing(attachments.removeAttachment)),
  at('GET', '/v1/customerReviews/{}', (fake, request) => {
    const review = fake.world.reviews.find(({ id }) => id === request.params[0])
    if (!review) throw notFound('customerReviews', request.params[0])
    return reported(fake, request, written.reviewResource(review))
  }),
  at('POST', '/v1/customerReviewResponses', reply),
  at('GET', '/v1/builds', listBuilds),
  at('GET', '/v1/builds/{}', (fake, request) =>
    reported(
      fake,
      request,
      written.buildResource(fake.world, testFlight.requireBuild(fake.world, request.params[0]))
    )
  ),
  at('GET', '/v1/builds/{}/betaBuildLocalizations', (fake, request) => {
    const { notes } = testFlight.requireBuild(fake.world, request.params[0])
    return listed(fake, request, notes.map(written.noteResource))
  }),
  at('POST', '/v1/builds/{}/relationships/betaGroups', removing(testFlight.giveToGroups)),
  at('GET', '/v1/betaGroups', listGroups),
  at('POST', '/v1/betaBuildLocalizations', (fake, request) =>
    made(fake, request, written.noteResource(testFlight.createNote(fake.world, request)))
  ),
  at('PATCH', '/v1/betaBuildLocalizations/{}', (fake, request) =>
    made(fake, request, written.noteResource(testFlight.changeNote(fake.world, request)))
  ),
  at('POST', '/v1/betaAppReviewSubmissions', (fake, request) => {
    const { id, betaReview } = testFlight.askBetaReview(fake.world, request)
    return made(fake, request, {
      type: 'betaAppReviewSubmissions',
      id,
      attributes: { betaReviewState: betaReview },
    })
  }),
  at('POST', '/v1/webhooks', (fake, request) =>
    made(fake, request, written.hookResource(hooks.createHook(fake.world, request)))
  ),
  at('PATCH', '/v1/webhooks/{}', (fake, request) =>
    made(fake, request, written.hookResource(hooks.changeHook(fake.world, request)))
  ),
  at('DELETE', '/v1/webhooks/{}', removing(hooks.removeHook)),
  at('GET', '/v1/webhooks/{}/deliveries', (fake, request) =>
    listed(fake, request, hooks.deliveriesOf(fake.world, request))
  ),
  at('POST', '/v1/webhookDeliveries', (fake, request) =>
    made(fake, request, hooks.redeliver(fake.world, request, fake.now))
  ),
]
