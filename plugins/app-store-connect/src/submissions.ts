import { isProviderError, type ProviderError, refused } from '@tarmac/plugin-kit'
import { PAGE, PLATFORM, type AppStoreConnect } from './api.js'
import { SUBMISSION_CLOSED } from './errors.js'
import type { Apple } from './operations.js'

type State = NonNullable<NonNullable<Apple.ReviewSubmission['attributes']>['state']>

/** States of submissions that are not over. */
const OPEN: State[] = [
  'READY_FOR_REVIEW',
  'WAITING_FOR_REVIEW',
  'IN_REVIEW',
  'UNRESOLVED_ISSUES',
  'CANCELING',
  'COMPLETING',
]

/** Most items of a submission that Apple includes. */
const MAX_ITEMS = 50

/** Most pages of submissions that are read. */
const MAX_PAGES = 5

/** A submission for review. */
export interface Submission {
  id: string
  state: string
  /** The version in it; null if it has only other items, which the plugin ignores. */
  versionId: string | null
  isEmpty: boolean
  /** Empty before it is submitted. */
  submittedAt: string
}

/** Reads a page of the app's submissions, in Apple's undocumented order: one call. */
async function readPage(api: AppStoreConnect, states?: readonly State[], cursor?: string) {
  const answer = await api.read(
    '/v1/reviewSubmissions',
    null,
    {
      'filter[app]': [await api.appId()],
      'filter[platform]': [PLATFORM],
      ...(states === undefined ? {} : { 'filter[state]': [...states] }),
      'include': ['appStoreVersionForReview', 'items'],
      'fields[reviewSubmissions]': ['state', 'appStoreVersionForReview', 'items', 'submittedDate'],
      'fields[reviewSubmissionItems]': ['state', 'appStoreVersion'],
      'fields[appStoreVersions]': ['versionString'],
      'limit': PAGE,
      'limit[items]': MAX_ITEMS,
    },
    cursor
  )
  return { items: answer.data.map(submissionOf), ...api.nextOf(answer) }
}

/** Returns the submissions of a page and of those that follow. */
async function readFollowing(
  api: AppStoreConnect,
  { items, next }: Awaited<ReturnType<typeof readPage>>,
  states?: readonly State[]
): Promise<Submission[]> {
  const all = [...items]
  for (let page = 1, cursor = next; cursor !== undefined && page < MAX_PAGES; page++) {
    const more = await readPage(api, states, cursor)
    all.push(...more.items)
    cursor = more.next
  }
  return all
}

export function submissionOf({
  id,
  attributes,
  relationships,
}: Apple.ReviewSubmission): Submission {
  const { appStoreVersionForReview: version, items } = relationships ?? {}
  return {
    id,
    state: attributes?.state ?? '',
    versionId: version?.data?.id ?? null,
    // A submission without a list of items may contain any.
    isEmpty: !version?.data && items?.data?.length === 0,
    submittedAt: attributes?.submittedDate ?? '',
  }
}

/**
 * Returns the id of each version's open or newest submission: one call, and more for an app with
 * several pages. Those have no documented order, so the open submissions are then read apart.
 */
export async function submissionsOfVersions(
  api: AppStoreConnect,
  versionIds: readonly string[]
): Promise<Map<string, string>> {
  const first = await readPage(api)
  const isShort = first.next === undefined
  const open = isShort ? first.items.filter(isOpen) : await openSubmissions(api)
  const isMissing = versionIds.some((id) => open.every(({ versionId }) => versionId !== id))
  const all = isMissing ? await readFollowing(api, first) : []
  all.sort((one, other) => other.submittedAt.localeCompare(one.submittedAt))
  const found = new Map<string, string>()
  for (const { versionId, id } of [...open, ...all]) {
    if (versionId !== null && !found.has(versionId)) found.set(versionId, id)
  }
  return found
}

const isOpen = ({ state }: Submission) => (OPEN as string[]).includes(state)

export const openSubmissions = async (api: AppStoreConnect) =>
  readFollowing(api, await readPage(api, OPEN), OPEN)

/** Returns whether Apple refuses a change because of the submission's own state. */
export const isClosed = ({ detail }: ProviderError) => detail.reason === SUBMISSION_CLOSED.reason

/** Returns the refusal because a version is in review. */
export const reviewInProgress = () =>
  refused('conflict', {
    reason: 'reviewInProgress',
    message: 'A version of the app is in review.',
    action: 'Whoever releases waits for its end, or cancels it.',
  })

/** States of submissions that wait for Apple's decision. */
export const PENDING: readonly string[] = ['WAITING_FOR_REVIEW', 'IN_REVIEW']

/** States of submissions that need no cancellation any more. */
const ENDING: readonly string[] = ['CANCELING', 'COMPLETING', 'COMPLETE']

/** Cancels a submission, which takes Apple some seconds: one call. */
export const cancelSubmission = (api: AppStoreConnect, id: string) =>
  changeSubmission(api, id, { canceled: true }, { isRepeatable: true, become: ENDING })

/**
 * Changes a submission. Apple refuses a change that was already applied, possibly by a call whose
 * answer was lost, so a read decides.
 * @param how.become states that prove the change
 */
async function changeSubmission(
  api: AppStoreConnect,
  id: string,
  attributes: { submitted: true } | { canceled: true },
  { isRepeatable, become }: { isRepeatable: boolean; become: readonly string[] }
): Promise<Submission> {
  try {
    const { data } = await api.change(
      'PATCH /v1/reviewSubmissions/{id}',
      id,
      { data: { type: 'reviewSubmissions', id, attributes } },
      { isRepeatable }
    )
    return submissionOf(data)
  } catch (error) {
    if (!isProviderError(error) || !isClosed(error)) throw error
    const open = (await openSubmissions(api)).find((each) => each.id === id)
    const now = open ?? { id, state: 'COMPLETE', versionId: null, isEmpty: false, submittedAt: '' }
    if (!become.includes(now.state)) throw error
    return now
  }
}

/** Submits a version for review, in a new submission or an existing draft: up to three calls. */
export async function sendSubmission(
  api: AppStoreConnect,
  versionId: string,
  drafts: readonly Submission[]
): Promise<Submission> {
  const withVersion = drafts.find((each) => each.versionId === versionId)
  const draft = withVersion ?? drafts.find(({ isEmpty }) => isEmpty)
  const id = draft?.id ?? (await makeSubmission(api))
  if (!withVersion) await api.onceThere(() => addVersion(api, id, versionId))
  return submitSubmission(api, id)
}

/** Submits a submission with all its items: one call. */
export const submitSubmission = (api: AppStoreConnect, id: string): Promise<Submission> =>
  api.onceThere(() =>
    changeSubmission(api, id, { submitted: true }, { isRepeatable: false, become: PENDING })
  )

async function makeSubmission(api: AppStoreConnect): Promise<string> {
  const { data } = await api.change('POST /v1/reviewSubmissions', null, {
    data: {
      type: 'reviewSubmissions',
      attributes: { platform: PLATFORM },
      relationships: { app: { data: { type: 'apps', id: await api.appId() } } },
    },
  })
  return data.id
}

const addVersion = (api: AppStoreConnect, submissionId: string, versionId: string) =>
  api.change('POST /v1/reviewSubmissionItems', null, {
    data: {
      type: 'reviewSubmissionItems',
      relationships: {
        reviewSubmission: { data: { type: 'reviewSubmissions', id: submissionId } },
        appStoreVersion: { data: { type: 'appStoreVersions', id: versionId } },
      },
    },
  })
