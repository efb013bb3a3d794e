import { many, notFound, one, type Asked, type Resource } from './answers.js'
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
type Route = (fake: Served, asked: Asked) => unknown

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

const listed = (fake: Served, asked: Asked, all: readonly Resource[]) =>
  many(asked, all, lookup(fake))

const reported = (fake: Served, asked: Asked, resource: Resource) =>
  one(asked, resource, lookup(fake))

/** Writes the answer to a change, which shows the result at once, even if reads lag. */
const made = (fake: Served, asked: Asked, resource: Resource) =>
  one(asked, resource, written.lookupIn(fake.world, fake.world.versions, fake.now))

/** Makes a route without an answer body. */
const removing =
  (remove: (world: World, asked: Asked) => void): Route =>
  ({ world }, asked) => {
    remove(world, asked)
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

const listApps: Route = (fake, asked) => {
  const bundleIds = asked.filter('bundleId')
  const { world } = fake
  const isAsked = world.isThere && byFilter(bundleIds, world.bundleId)
  return listed(fake, asked, isAsked ? [written.appResource(world)] : [])
}

const listVersions: Route = (fake, asked) => {
  const [platforms, names] = [asked.filter('platform'), asked.filter('versionString')]
  const states = asked.filter('appVersionState')
  const found = fake
    .shown()
    .filter(({ version, state }) => byFilter(names, version) && byFilter(states, state))
    .filter(() => byFilter(platforms, 'IOS'))
  // Apple does not promise an order.
  return listed(
    fake,
    asked,
    found.map((each) => written.versionResource(fake.world, each))
  )
}

const listBuilds: Route = (fake, asked) => {
  const { world } = fake
  const [apps, numbers] = [asked.filter('app'), asked.filter('version')]
  const names = asked.filter('preReleaseVersion.version')
  const platforms = asked.filter('preReleaseVersion.platform')
  const found = world.builds.filter(
    ({ number, version }) =>
      byFilter(apps, world.appId) &&
      byFilter(numbers, number) &&
      byFilter(names, version) &&
      byFilter(platforms, 'IOS')
  )
  return listed(
    fake,
    asked,
    newest(found, ({ uploadedAt }) => uploadedAt).map((each) => written.buildResource(world, each))
  )
}

const listSubmissions: Route = (fake, asked) => {
  const { world, now } = fake
  const [apps, platforms] = [asked.filter('app'), asked.filter('platform')]
  const states = asked.filter('state')
  const found = world.submissions
    .filter(({ shownAt }) => shownAt <= now)
    .filter(
      ({ state }) =>
        byFilter(apps, world.appId) && byFilter(platforms, 'IOS') && byFilter(states, state)
    )
  // Apple does not document an order; the fake has the oldest first.
  return listed(
    fake,
    asked,
    newest(found, ({ createdAt }) => -createdAt).map((each) =>
      written.submissionResource(world, each)
    )
  )
}

const listReviews: Route = (fake, asked) => {
  const ratings = asked.filter('rating')
  const found = fake.world.reviews.filter(({ rating }) => byFilter(ratings, String(rating)))
  const sorted = newest(found, (each) => Date.parse(each.at))
  return listed(fake, asked, sorted.map(written.reviewResource))
}

const reply: Route = (fake, asked) => {
  const id = asked.related('review') ?? ''
  const review = fake.world.reviews.find((each) => each.id === id)
  if (!review) throw notFound('customerReviews', id)
  review.reply = { text: asked.text('responseBody'), at: fake.now }
  return made(fake, asked, written.replyResource(review))
}

const listGroups: Route = (fake, asked) => {
  const { world } = fake
  const [apps, ids] = [asked.filter('app'), asked.filter('id')]
  const found = world.groups.filter(({ id }) => byFilter(apps, world.appId) && byFilter(ids, id))
  return listed(fake, asked, found.map(written.groupResource))
}

export const ROUTES: readonly Placed[] = [
  at('GET', '/v1/apps', listApps),
  at('GET', '/v1/apps/{}/appStoreVersions', listVersions),
  at('GET', '/v1/apps/{}/appInfos', (fake, asked) =>
    listed(fake, asked, [written.infoResource(fake.world)])
  ),
  at('GET', '/v1/apps/{}/customerReviews', listReviews),
  at('GET', '/v1/apps/{}/webhooks', (fake, asked) =>
    listed(fake, asked, fake.world.hooks.map(written.hookResource))
  ),
  at('GET', '/v1/appStoreVersions/{}', (fake, asked) =>
    reported(fake, asked, written.versionResource(fake.world, shownVersion(fake, asked.params[0])))
  ),
  at('POST', '/v1/appStoreVersions', (fake, asked) =>
    made(
      fake,
      asked,
      written.versionResource(fake.world, versions.createVersion(fake.world, asked, fake.now))
    )
  ),
  at('PATCH', '/v1/appStoreVersions/{}', (fake, asked) =>
    made(
      fake,
      asked,
      written.versionResource(fake.world, versions.changeVersion(fake.world, asked, fake.now))
    )
  ),
  at('POST', '/v1/appStoreVersionPhasedReleases', (fake, asked) =>
    made(
      fake,
      asked,
      written.phasedResource(versions.createPhased(fake.world, asked, fake.now), fake.now)
    )
  ),
  at('PATCH', '/v1/appStoreVersionPhasedReleases/{}', (fake, asked) =>
    made(
      fake,
      asked,
      written.phasedResource(versions.changePhased(fake.world, asked, fake.now), fake.now)
    )
  ),
  at('DELETE', '/v1/appStoreVersionPhasedReleases/{}', removing(versions.removePhased)),
  at('POST', '/v1/appStoreVersionLocalizations', (fake, asked) =>
    made(fake, asked, written.textResource(versions.createText(fake.world, asked, fake.now)))
  ),
  at('PATCH', '/v1/appStoreVersionLocalizations/{}', (fake, asked) =>
    made(fake, asked, written.textResource(versions.changeText(fake.world, asked)))
  ),
  at('POST', '/v1/appInfoLocalizations', (fake, asked) =>
    made(fake, asked, written.titleResource(versions.createTitle(fake.world, asked)))
  ),
  at('PATCH', '/v1/appInfoLocalizations/{}', (fake, asked) =>
    made(fake, asked, written.titleResource(versions.changeTitle(fake.world, asked)))
  ),
  at('POST', '/v1/appStoreVersionReleaseRequests', (fake, asked) => {
    const { id } = versions.releaseVersion(fake.world, asked, fake.now)
    return made(fake, asked, { type: 'appStoreVersionReleaseRequests', id: `release-${id}` })
  }),
  at('GET', '/v1/reviewSubmissions', listSubmissions),
  at('POST', '/v1/reviewSubmissions', (fake, asked) =>
    made(
      fake,
      asked,
      written.submissionResource(
        fake.world,
        submissions.createSubmission(fake.world, asked, fake.now)
      )
    )
  ),
  at('PATCH', '/v1/reviewSubmissions/{}', (fake, asked) =>
    made(
      fake,
      asked,
      written.submissionResource(
        fake.world,
        submissions.changeSubmission(fake.world, asked, fake.now)
      )
    )
  ),
  at('POST', '/v1/reviewSubmissionItems', (fake, asked) => {
    const { id } = submissions.addItem(fake.world, asked, fake.now)
    return made(fake, asked, {
      type: 'reviewSubmissionItems',
      id,
      attributes: { state: 'READY_FOR_REVIEW' },
    })
  }),
  at('DELETE', '/v1/appStoreVersionSubmissions/{}', removing(submissions.removeOldSubmission)),
  at('GET', '/v1/appStoreVersions/{}/appStoreReviewDetail', (fake, asked) => {
    const { detail } = shownVersion(fake, asked.params[0])
    if (!detail) throw notFound('appStoreReviewDetails', asked.params[0])
    return reported(fake, asked, written.detailResource(detail))
  }),
  at('POST', '/v1/appStoreReviewDetails', (fake, asked) =>
    made(fake, asked, written.detailResource(attachments.createDetail(fake.world, asked, fake.now)))
  ),
  at('POST', '/v1/appStoreReviewAttachments', (fake, asked) => {
    const { attachment, operations } = attachments.reserve(fake.world, asked)
    return made(fake, asked, written.attachmentResource(attachment, operations))
  }),
  at('PATCH', '/v1/appStoreReviewAttachments/{}', (fake, asked) =>
    made(fake, asked, written.attachmentResource(attachments.commit(fake.world, asked)))
  ),
  at('DELETE', '/v1/appStoreReviewAttachments/{}', removing(attachments.removeAttachment)),
  at('GET', '/v1/customerReviews/{}', (fake, asked) => {
    const review = fake.world.reviews.find(({ id }) => id === asked.params[0])
    if (!review) throw notFound('customerReviews', asked.params[0])
    return reported(fake, asked, written.reviewResource(review))
  }),
  at('POST', '/v1/customerReviewResponses', reply),
  at('GET', '/v1/builds', listBuilds),
  at('GET', '/v1/builds/{}', (fake, asked) =>
    reported(
      fake,
      asked,
      written.buildResource(fake.world, testFlight.requireBuild(fake.world, asked.params[0]))
    )
  ),
  at('GET', '/v1/builds/{}/betaBuildLocalizations', (fake, asked) => {
    const { notes } = testFlight.requireBuild(fake.world, asked.params[0])
    return listed(fake, asked, notes.map(written.noteResource))
  }),
  at('POST', '/v1/builds/{}/relationships/betaGroups', removing(testFlight.giveToGroups)),
  at('GET', '/v1/betaGroups', listGroups),
  at('POST', '/v1/betaBuildLocalizations', (fake, asked) =>
    made(fake, asked, written.noteResource(testFlight.createNote(fake.world, asked)))
  ),
  at('PATCH', '/v1/betaBuildLocalizations/{}', (fake, asked) =>
    made(fake, asked, written.noteResource(testFlight.changeNote(fake.world, asked)))
  ),
  at('POST', '/v1/betaAppReviewSubmissions', (fake, asked) => {
    const { id, betaReview } = testFlight.askBetaReview(fake.world, asked)
    return made(fake, asked, {
      type: 'betaAppReviewSubmissions',
      id,
      attributes: { betaReviewState: betaReview },
    })
  }),
  at('POST', '/v1/webhooks', (fake, asked) =>
    made(fake, asked, written.hookResource(hooks.createHook(fake.world, asked)))
  ),
  at('PATCH', '/v1/webhooks/{}', (fake, asked) =>
    made(fake, asked, written.hookResource(hooks.changeHook(fake.world, asked)))
  ),
  at('DELETE', '/v1/webhooks/{}', removing(hooks.removeHook)),
  at('GET', '/v1/webhooks/{}/deliveries', (fake, asked) =>
    listed(fake, asked, hooks.deliveriesOf(fake.world, asked))
  ),
  at('POST', '/v1/webhookDeliveries', (fake, asked) =>
    made(fake, asked, hooks.redeliver(fake.world, asked, fake.now))
  ),
]
