import type { Linkage, Lookup, Resource } from './json_api.js'
import {
  DAY_MS,
  dayOf,
  pausedMs,
  type FakeAttachment,
  type FakeBuild,
  type FakeHook,
  type FakePhased,
  type FakeReview,
  type FakeSubmission,
  type FakeText,
  type FakeVersion,
  type World,
} from './world.js'

/*
 * Writes the content of the fake as Apple's resources.
 */

export const at = (milliseconds: number | null) =>
  milliseconds === null ? null : new Date(milliseconds).toISOString()

const link = (type: string, id: string | null | undefined): { data: Linkage | null } => ({
  data: id === null || id === undefined ? null : { type, id },
})
const links = (type: string, all: readonly { id: string }[]): { data: Linkage[] } => ({
  data: all.map(({ id }) => ({ type, id })),
})

export const appResource = ({ appId, bundleId }: World): Resource => ({
  type: 'apps',
  id: appId,
  attributes: { bundleId, name: 'Acme', sku: 'ACME', primaryLocale: 'en-US' },
})

/** States of versions that have a submission of the older kind, by which they can be withdrawn. */
const WITHDRAWABLE = ['WAITING_FOR_REVIEW', 'IN_REVIEW', 'PENDING_DEVELOPER_RELEASE']

/** The values of the older state field where they differ. */
const OLD: Readonly<Record<string, string>> = {
  READY_FOR_DISTRIBUTION: 'READY_FOR_SALE',
  PROCESSING_FOR_DISTRIBUTION: 'PROCESSING_FOR_APP_STORE',
}

export function versionResource({ appId }: World, version: FakeVersion): Resource {
  const { id, state, isOffSale, phased, buildId, texts, detail } = version
  return {
    type: 'appStoreVersions',
    id,
    attributes: {
      platform: 'IOS',
      versionString: version.version,
      appVersionState: state,
      appStoreState: isOffSale ? 'DEVELOPER_REMOVED_FROM_SALE' : (OLD[state] ?? state),
      releaseType: version.releaseType,
      earliestReleaseDate: version.earliestReleaseDate,
      createdDate: at(version.createdAt),
    },
    relationships: {
      app: link('apps', appId),
      build: link('builds', buildId),
      appStoreVersionPhasedRelease: link('appStoreVersionPhasedReleases', phased?.id),
      appStoreVersionLocalizations: links('appStoreVersionLocalizations', texts),
      appStoreReviewDetail: link('appStoreReviewDetails', detail?.id),
      appStoreVersionSubmission: link(
        'appStoreVersionSubmissions',
        WITHDRAWABLE.includes(state) ? `submission-${id}` : null
      ),
    },
  }
}

export const phasedResource = (phased: FakePhased, now: number): Resource => ({
  type: 'appStoreVersionPhasedReleases',
  id: phased.id,
  attributes: {
    phasedReleaseState: phased.state,
    startDate: at(phased.startedAt),
    totalPauseDuration: Math.floor(pausedMs(phased, now) / DAY_MS),
    currentDayNumber: phased.state === 'INACTIVE' ? 0 : dayOf(phased, now),
  },
})

export const textResource = ({ id, locale, texts }: FakeText): Resource => ({
  type: 'appStoreVersionLocalizations',
  id,
  attributes: { locale, ...texts },
})

export const titleResource = ({ id, locale, texts }: FakeText): Resource => ({
  type: 'appInfoLocalizations',
  id,
  attributes: { locale, ...texts },
})

export const infoResource = ({ titles }: World): Resource => ({
  type: 'appInfos',
  id: 'app-info',
  attributes: { state: 'PREPARE_FOR_SUBMISSION' },
  relationships: { appInfoLocalizations: links('appInfoLocalizations', titles) },
})

const itemOf = ({ id, state, versionId }: FakeSubmission, index: number): Resource => ({
  type: 'reviewSubmissionItems',
  id: `${id}-${index}`,
  attributes: { state: state === 'COMPLETE' ? 'APPROVED' : 'READY_FOR_REVIEW' },
  relationships: {
    appStoreVersion: link('appStoreVersions', index === 0 ? versionId : null),
  },
})

export function itemsOf(submission: FakeSubmission): Resource[] {
  const count = (submission.versionId === null ? 0 : 1) + submission.others
  const first = submission.versionId === null ? 1 : 0
  return Array.from({ length: count }, (_, index) => itemOf(submission, first + index))
}

export const submissionResource = (world: World, submission: FakeSubmission): Resource => ({
  type: 'reviewSubmissions',
  id: submission.id,
  attributes: {
    platform: 'IOS',
    state: submission.state,
    submittedDate: submission.state === 'READY_FOR_REVIEW' ? null : at(submission.createdAt),
  },
  relationships: {
    app: link('apps', world.appId),
    items: links('reviewSubmissionItems', itemsOf(submission)),
    appStoreVersionForReview: link('appStoreVersions', submission.versionId),
  },
})

export const buildResource = (world: World, build: FakeBuild): Resource => ({
  type: 'builds',
  id: build.id,
  attributes: {
    version: build.number,
    uploadedDate: at(build.uploadedAt),
    expirationDate: at(build.uploadedAt + 90 * DAY_MS),
    expired: build.isExpired,
    processingState: build.processing,
    buildAudienceType: 'APP_STORE_ELIGIBLE',
    usesNonExemptEncryption: build.encrypts,
  },
  relationships: {
    app: link('apps', world.appId),
    preReleaseVersion: link('preReleaseVersions', `of-${build.version}`),
    buildBetaDetail: link('buildBetaDetails', build.id),
    betaGroups: links(
      'betaGroups',
      build.groupIds.map((id) => ({ id }))
    ),
  },
})

export const noteResource = ({ id, locale, text }: FakeBuild['notes'][number]): Resource => ({
  type: 'betaBuildLocalizations',
  id,
  attributes: { locale, whatsNew: text },
})

const BETA_REVIEWS: Readonly<Record<string, string>> = {
  WAITING_FOR_REVIEW: 'WAITING_FOR_BETA_REVIEW',
  IN_REVIEW: 'IN_BETA_REVIEW',
  REJECTED: 'BETA_REJECTED',
}

/** Writes the state of a build with internal and external testers. */
export function betaDetail({ groups }: World, build: FakeBuild): Resource {
  const shared = build.isExpired
    ? 'EXPIRED'
    : build.processing === 'PROCESSING'
      ? 'PROCESSING'
      : build.processing !== 'VALID'
        ? 'PROCESSING_EXCEPTION'
        : build.encrypts === null
          ? 'MISSING_EXPORT_COMPLIANCE'
          : null
  const own = groups.filter(({ id }) => build.groupIds.includes(id))
  const has = (isOfHouse: boolean) =>
    own.some(({ internal }) => internal === isOfHouse) ||
    groups.some(({ internal, hasAllBuilds }) => internal && isOfHouse && hasAllBuilds)
  const reviewed =
    build.betaReview === null
      ? 'READY_FOR_BETA_SUBMISSION'
      : (BETA_REVIEWS[build.betaReview] ?? (has(false) ? 'IN_BETA_TESTING' : 'BETA_APPROVED'))
  return {
    type: 'buildBetaDetails',
    id: build.id,
    attributes: {
      autoNotifyEnabled: false,
      internalBuildState: shared ?? (has(true) ? 'IN_BETA_TESTING' : 'READY_FOR_BETA_TESTING'),
      externalBuildState: shared ?? reviewed,
    },
  }
}

export const groupResource = ({
  id,
  name,
  internal,
  hasAllBuilds,
}: World['groups'][number]): Resource => ({
  type: 'betaGroups',
  id,
  attributes: { name, isInternalGroup: internal, hasAccessToAllBuilds: hasAllBuilds },
})

export const reviewResource = ({ id, rating, text, at: created, reply }: FakeReview): Resource => ({
  type: 'customerReviews',
  id,
  attributes: {
    rating,
    title: 'A title',
    body: text,
    reviewerNickname: 'somebody',
    createdDate: created,
    territory: 'USA',
  },
  relationships: { response: link('customerReviewResponses', reply ? `reply-${id}` : null) },
})

export const replyResource = ({ id, reply }: FakeReview): Resource => ({
  type: 'customerReviewResponses',
  id: `reply-${id}`,
  attributes: {
    responseBody: reply?.text,
    lastModifiedDate: at(reply?.at ?? null),
    state: 'PENDING_PUBLISH',
  },
})

export const attachmentResource = (
  { id, name, size, state }: FakeAttachment,
  uploadOperations?: unknown
): Resource => ({
  type: 'appStoreReviewAttachments',
  id,
  attributes: {
    fileName: name,
    fileSize: size,
    ...(uploadOperations === undefined ? {} : { uploadOperations }),
    assetDeliveryState: {
      state,
      errors:
        state === 'FAILED'
          ? [{ code: 'CHECKSUM', description: 'The checksum is not that of the file' }]
          : [],
      warnings: [],
    },
  },
})

export const detailResource = ({
  id,
  attachments,
}: NonNullable<FakeVersion['detail']>): Resource => ({
  type: 'appStoreReviewDetails',
  id,
  attributes: { notes: '' },
  relationships: {
    appStoreReviewAttachments: links('appStoreReviewAttachments', attachments),
  },
})

/** The secret of a webhook is never shown. */
export const hookResource = ({ id, url, name, enabled, eventTypes }: FakeHook): Resource => ({
  type: 'webhooks',
  id,
  attributes: { url, name, enabled, eventTypes },
})

/** Returns a lookup of related resources, as reads show them. */
export function lookupIn(world: World, versions: readonly FakeVersion[], now: number): Lookup {
  const attachments = versions.flatMap(({ detail }) => detail?.attachments ?? [])
  const among = <Each extends { id: string }>(
    all: readonly Each[],
    id: string,
    toResource: (each: Each) => Resource
  ) => {
    const found = all.find((each) => each.id === id)
    return found ? toResource(found) : null
  }
  return (type, id) => {
    switch (type) {
      case 'apps':
        return appResource(world)
      case 'builds':
        return among(world.builds, id, (each) => buildResource(world, each))
      case 'buildBetaDetails':
        return among(world.builds, id, (each) => betaDetail(world, each))
      case 'preReleaseVersions':
        return {
          type,
          id,
          attributes: { version: id.replace(/^of-/, ''), platform: 'IOS' },
        }
      case 'betaGroups':
        return among(world.groups, id, groupResource)
      case 'appStoreVersions':
        return among(versions, id, (each) => versionResource(world, each))
      case 'appStoreVersionSubmissions':
        return { type, id }
      case 'appStoreVersionPhasedReleases':
        return among(
          versions.flatMap(({ phased }) => phased ?? []),
          id,
          (each) => phasedResource(each, now)
        )
      case 'appStoreVersionLocalizations':
        return among(
          versions.flatMap(({ texts }) => texts),
          id,
          textResource
        )
      case 'appInfoLocalizations':
        return among(world.titles, id, titleResource)
      case 'reviewSubmissionItems':
        return among(world.submissions.flatMap(itemsOf), id, (each) => each)
      case 'appStoreReviewAttachments':
        return among(attachments, id, (each) => attachmentResource(each))
      case 'customerReviewResponses':
        return among(world.reviews, id.replace(/^reply-/, ''), replyResource)
      default:
        return null
    }
  }
}
