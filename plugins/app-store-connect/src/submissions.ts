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
const MOST_ITEMS = 50

/** Most pages of submissions that are read. */
const MOST_PAGES = 5

/** A submission for review. */
export interface Submission {
  id: string
  state: string
  /** The version in it; null for one of other items alone, which is nobody's business here. */
  versionId: string | null
  isEmpty: boolean
  /** Empty for one that nobody has sent. */
  submittedAt: string
}

/** A page of the app's submissions, in whatever order Apple has them: one call. */
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
      'limit[items]': MOST_ITEMS,
    },
    cursor
  )
  return { items: answer.data.map(submissionOf), ...api.nextOf(answer) }
}

/** The submissions from a page on. */
async function readOn(
  api: AppStoreConnect,
  { items, next }: Awaited<ReturnType<typeof readPage>>,
  states?: readonly State[]
): Promise<Submission[]> {
  const all = [...items]
  for (let page = 1, cursor = next; cursor !== undefined && page < MOST_PAGES; page++) {
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
    // A submission whose items are not listed may hold anything.
    isEmpty: !version?.data && items?.data?.length === 0,
    submittedAt: attributes?.submittedDate ?? '',
  }
}

/**
 * Ids of submissions by their versions, the open or newest one of each: one call, and more for an
 * app of more than one page. Apple names no order, so the open ones are asked for there.
 */
export async function submissionsOfVersions(
  api: AppStoreConnect,
  versionIds: readonly string[]
): Promise<Map<string, string>> {
  const first = await readPage(api)
  const isShort = first.next === undefined
  const open = isShort ? first.items.filter(isOpen) : await openSubmissions(api)
  const isMissing = versionIds.some((id) => open.every(({ versionId }) => versionId !== id))
  const all = isMissing ? await readOn(api, first) : []
  all.sort((one, other) => other.submittedAt.localeCompare(one.submittedAt))
  const found = new Map<string, string>()
  for (const { versionId, id } of [...open, ...all]) {
    if (versionId !== null && !found.has(versionId)) found.set(versionId, id)
  }
  return found
}

const isOpen = ({ state }: Submission) => (OPEN as string[]).includes(state)

export const openSubmissions = async (api: AppStoreConnect) =>
  readOn(api, await readPage(api, OPEN), OPEN)

/** Returns whether Apple refuses a change because of the submission's own state. */
export const isClosed = ({ detail }: ProviderError) => detail.reason === SUBMISSION_CLOSED.reason

/** A review of a version is in the way. */
export const reviewInProgress = () =>
  refused('conflict', {
    reason: 'reviewInProgress',
    message: 'A version of the app is in review.',
    action: 'Whoever releases waits for its end, or cancels it.',
  })

/** States of submissions that Apple has, and has not decided on. */
export const PENDING: readonly string[] = ['WAITING_FOR_REVIEW', 'IN_REVIEW']

/** States of submissions that need no cancellation any more. */
const ENDING: readonly string[] = ['CANCELING', 'COMPLETING', 'COMPLETE']

/** Asks Apple to end a submission, which takes it some seconds: one call. */
export const cancelSubmission = (api: AppStoreConnect, id: string) =>
  changeSubmission(api, id, { canceled: true }, { isRepeatable: true, become: ENDING })

/**
 * Changes a submission. Apple refuses a change that it has applied before: its answer may have been
 * lost, so a read decides.
 * @param how.become states that show the change
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

/** Makes a submission with one version, and sends it to review: three calls. */
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

/** Sends a submission with all that is in it: one call. */
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
