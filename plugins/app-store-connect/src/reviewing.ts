import {
  isProviderError,
  type AppStore,
  type ProviderError,
  type StoreVersion,
  unless,
  refused,
} from '@tarmac/plugin-kit'
import { type AppStoreConnect } from './api.js'
import { requireDeclared, requireUsable } from './builds.js'
import type { Apple } from './operations.js'
import { IN_REVIEW } from './states.js'
import {
  cancelSubmission,
  isClosed,
  openSubmissions,
  PENDING,
  reviewInProgress,
  sendSubmission,
  submitSubmission,
  type Submission,
} from './submissions.js'
import { findVersion, rawStateOf, versionOf, type FoundVersion } from './versions.js'

const NOT_BEGUN: Apple.AppStoreVersionPhasedRelease = {
  type: 'appStoreVersionPhasedReleases',
  id: '',
  attributes: { phasedReleaseState: 'INACTIVE' as Apple.PhasedReleaseState },
}

/** Pauses between reads until a cancellation takes effect, in milliseconds. */
const CANCELLED_MS = [2000, 3000, 5000, 5000, 5000]

/** Delay before a caller retries while a cancellation is pending, in milliseconds. */
const AGAIN_MS = 30_000

/**
 * Submits a version for review: five calls, three for a rejected version, and more if something
 * must be cancelled first. Submissions without a version (in-app events, product pages) are left
 * alone.
 */
export async function submit(
  api: AppStoreConnect,
  versionId: string,
  { onReviewInProgress: how, phased }: Parameters<AppStore['submit']>[1]
): Promise<StoreVersion> {
  let found = await api.onceThere(() => findVersion(api, versionId))
  requireBuild(found)
  let open = await openSubmissions(api)
  const inReview = open.filter(({ state, versionId: id }) => PENDING.includes(state) && id !== null)
  const isUnderWay = IN_REVIEW.includes(rawStateOf(found.version)) || inReview.length > 0
  if (isUnderWay && how === 'fail') throw reviewInProgress()
  const ofOwn = (wanted: string) =>
    open.filter(({ state, versionId: id }) => state === wanted && id === versionId)
  // A rejected version stays in its submission with the other items, so that one is submitted
  // again. If the version is incomplete, a new submission would not help, so the refusal is thrown.
  const [rejected] = inReview.length === 0 ? ofOwn('UNRESOLVED_ISSUES') : []
  const again = rejected && (await unless(submitSubmission(api, rejected.id), isClosed))
  if (again) return submitted(api, found, again, phased)
  const ending = [...inReview, ...(rejected ? [rejected] : [])]
  for (const { id } of ending) await cancelSubmission(api, id)
  if (ending.length + ofOwn('CANCELING').length > 0) {
    await requireOver(api, versionId)
    found = await findVersion(api, versionId)
    open = await openSubmissions(api)
  }
  const drafts = open.filter(({ state }) => state === 'READY_FOR_REVIEW')
  const sent = await sendSubmission(api, versionId, drafts)
  return submitted(api, found, sent, phased)
}

function requireBuild({ version, build }: FoundVersion): void {
  if (build) {
    requireUsable(build)
    requireDeclared(build)
    return
  }
  throw refused('preconditionFailed', {
    reason: 'buildMissing',
    message: `Version ${version.attributes?.versionString} has no build.`,
    action: 'Whoever releases chooses one.',
  })
}

/**
 * Returns the version in the state that the answer to its submission proves, because reads lag.
 * @param isPhased as it was prepared, since a read may be older than that
 */
function submitted(
  api: AppStoreConnect,
  found: FoundVersion,
  { id, state }: Submission,
  isPhased = found.phased !== null
) {
  const raw = state === 'IN_REVIEW' ? 'IN_REVIEW' : 'WAITING_FOR_REVIEW'
  const attributes = { ...found.version.attributes, appVersionState: raw as Apple.AppVersionState }
  const version = { ...found.version, attributes }
  const phased = isPhased ? (found.phased ?? NOT_BEGUN) : null
  return versionOf(api, { ...found, version, phased, seen: api.begin(0) }, id)
}

/** Waits until no submission contains the version. @throws ProviderError that asks for a retry */
async function requireOver(api: AppStoreConnect, versionId: string): Promise<void> {
  for (const milliseconds of CANCELLED_MS) {
    await api.ctx.pause(milliseconds)
    const open = await openSubmissions(api)
    const isOver = open.every((each) => each.versionId !== versionId && !isLeaving(each))
    if (isOver) return
  }
  throw refused('preconditionFailed', {
    reason: 'preparing',
    message: 'The review is being cancelled.',
    retryAfterMs: AGAIN_MS,
  })
}

const isLeaving = ({ state, versionId }: Submission) => state === 'CANCELING' && versionId !== null

/**
 * Withdraws a version from review, or an approved one from its release: three calls, and one for
 * each poll until that takes effect.
 * @returns the version as Apple last shows it, which may still be in review for some seconds
 */
export async function cancelReview(api: AppStoreConnect, versionId: string): Promise<StoreVersion> {
  const found = await findVersion(api, versionId)
  const raw = rawStateOf(found.version)
  const isApproved = raw === APPROVED || raw === 'ACCEPTED'
  const own = (await openSubmissions(api)).find(
    ({ state, versionId: id }) => id === versionId && [...PENDING, 'CANCELING'].includes(state)
  )
  if (own && own.state !== 'CANCELING') await cancelSubmission(api, own.id)
  else if (!own && isApproved && found.submission !== null) {
    await rejectApproved(api, found.submission)
  } else if (!own) throw IN_REVIEW.includes(raw) ? notListed(raw) : notInReview(isApproved)
  for (const milliseconds of CANCELLED_MS) {
    await api.ctx.pause(milliseconds)
    const now = await findVersion(api, versionId)
    const state = rawStateOf(now.version)
    if (!IN_REVIEW.includes(state) && !(isApproved && state === raw)) return versionOf(api, now)
  }
  return versionOf(api, await findVersion(api, versionId))
}

/** Withdraws an approved version, which Apple allows only by its submission of the older kind. */
async function rejectApproved(api: AppStoreConnect, submissionId: string): Promise<void> {
  await unless(
    api.change('DELETE /v1/appStoreVersionSubmissions/{id}', submissionId, undefined),
    ({ code }) => code === 'notFound'
  )
}

const notListed = (raw: string) =>
  refused('conflict', {
    reason: 'preparing',
    message: `App Store Connect has the version as ${raw}, and does not list its submission yet.`,
    action: 'Where that stays so, whoever releases cancels it in App Store Connect.',
    retryAfterMs: AGAIN_MS,
  })

const notInReview = (isApproved: boolean) =>
  refused('preconditionFailed', {
    reason: 'notInReview',
    message: isApproved
      ? 'The version is approved, and Apple names nothing to withdraw.'
      : 'The version is not in review.',
    ...(isApproved ? { action: 'Whoever releases rejects it in App Store Connect.' } : {}),
  })

/**
 * Releases an approved version: two calls. Until reads show the release, it is reported as
 * `processing`, which Apple's acceptance proves.
 */
export async function release(api: AppStoreConnect, versionId: string): Promise<StoreVersion> {
  const refusal = await api
    .change('POST /v1/appStoreVersionReleaseRequests', null, {
      data: {
        type: 'appStoreVersionReleaseRequests',
        relationships: { appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } } },
      },
    })
    .then(
      () => null,
      (error: unknown) => {
        if (isProviderError(error) && isRefusal(error)) return error
        throw error
      }
    )
  const reported = versionOf(api, await findVersion(api, versionId))
  // An earlier release call may have been applied.
  if (OUT.includes(reported.status.state)) return reported
  if (refusal) throw reported.status.raw === APPROVED ? refusal : notApproved(reported)
  const status = { ...reported.status, state: 'processing' as const, lagSeconds: 0 }
  return { ...reported, status }
}

/** The state of an approved version that waits for its manual release. */
const APPROVED = 'PENDING_DEVELOPER_RELEASE'

/** Returns whether the state of the version may explain an error. */
const isRefusal = ({ code }: ProviderError) =>
  ['conflict', 'preconditionFailed', 'invalid'].includes(code)

const OUT: readonly string[] = ['processing', 'live', 'rolledOutPartially']

const notApproved = ({ version, status }: StoreVersion) =>
  refused('preconditionFailed', {
    reason: 'notApproved',
    message: `Version ${version} does not wait for its release: Apple has it as ${status.raw}.`,
    action: 'Whoever releases waits until Apple has approved it.',
  })
