import { randomUUID } from 'node:crypto'
import {
  notFound,
  Refusal,
  stateError,
  unknownRelation,
  type JsonApiRequest,
  type FakeError,
} from './json_api.js'
import { itemsOf } from './resources.js'
import { isEditable, type FakeSubmission, type FakeVersion, type World } from './world.js'
import { relatedVersion } from './versions.js'

/*
 * Submissions for review: at most one with a version at a time, and others with other items.
 */

const PENDING = ['WAITING_FOR_REVIEW', 'IN_REVIEW']

function submissionOf(world: World, id: string, now: number): FakeSubmission | null {
  const found = world.submissions.find((each) => each.id === id)
  return found && found.shownAt <= now ? found : null
}

export function createSubmission(
  world: World,
  request: JsonApiRequest,
  now: number
): FakeSubmission {
  if (request.related('app') !== world.appId) {
    throw unknownRelation('apps', request.related('app') ?? '')
  }
  const submission = {
    id: randomUUID(),
    state: 'READY_FOR_REVIEW',
    versionId: null,
    others: 0,
    createdAt: now,
    shownAt: now + world.settings.appearingMs,
    cancelledAt: null,
  }
  world.submissions.push(submission)
  return submission
}

const required = (name: string): FakeError => ({
  code: 'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
  title: 'The provided entity is missing a required attribute',
  detail: `You must provide a value for the attribute '${name}' with this request`,
})

/** Returns the errors of a version that is incomplete for review. */
function lacksOf(world: World, version: FakeVersion): FakeError[] {
  const build = world.builds.find(({ id }) => id === version.buildId)
  const fault = (detail: string): FakeError => ({
    code: 'STATE_ERROR.BUILD_INVALID',
    title: 'The build cannot be reviewed',
    detail,
  })
  const isFirst = world.versions[0] === version
  return [
    ...(build ? [] : [fault('You must choose a build.')]),
    ...(build?.isExpired ? [fault('The build has expired.')] : []),
    ...(build?.encrypts === null ? [fault('The build is missing export compliance.')] : []),
    ...(isFirst
      ? []
      : version.texts.filter(({ texts }) => !texts.whatsNew).map(() => required('whatsNew'))),
  ]
}

export function addItem(
  world: World,
  request: JsonApiRequest,
  now: number
): { id: string; versionId: string } {
  const id = request.related('reviewSubmission') ?? ''
  const submission = submissionOf(world, id, now)
  if (!submission) throw unknownRelation('reviewSubmissions', id)
  const version = relatedVersion(world, request, now)
  if (submission.state !== 'READY_FOR_REVIEW') {
    throw stateError(`reviewSubmissions with id '${id}' is not in valid state.`)
  }
  const other = world.submissions.find(
    (each) => each.versionId === version.id && each.state !== 'COMPLETE'
  )
  const path = `/v1/appStoreVersions/${version.id}`
  const notReviewable = `appStoreVersions with id '${version.id}' is not in valid state. This resource cannot be reviewed, please check associated errors to see why.`
  if (other) {
    throw stateError(notReviewable, {
      [path]: [
        {
          code: 'ENTITY_ERROR',
          title: 'The item is part of a submission',
          detail: `appStoreVersions with id ${version.id} was already added to another reviewSubmission with id ${other.id}`,
        },
      ],
    })
  }
  const lacks = lacksOf(world, version)
  if (!isEditable(version) || lacks.length > 0) throw stateError(notReviewable, { [path]: lacks })
  submission.versionId = version.id
  version.state = 'READY_FOR_REVIEW'
  return { id: `${submission.id}-0`, versionId: version.id }
}

export function changeSubmission(
  world: World,
  request: JsonApiRequest,
  now: number
): FakeSubmission {
  const [id] = request.params
  const submission = submissionOf(world, id, now)
  if (!submission) throw notFound('reviewSubmissions', id)
  const { submitted, canceled } = request.attributes
  if (submitted === true) send(world, submission)
  if (canceled === true) cancel(world, submission, now)
  return submission
}

function send(world: World, submission: FakeSubmission): void {
  const { id, state, versionId } = submission
  const version = world.versions.find((each) => each.id === versionId)
  const isAgain =
    state === 'UNRESOLVED_ISSUES' && world.settings.takesRejectedAgain && version !== undefined
  if ((state !== 'READY_FOR_REVIEW' && !isAgain) || itemsOf(submission).length === 0) {
    throw stateError(`reviewSubmissions with id '${id}' is not in valid state.`)
  }
  if (isAgain && lacksOf(world, version).length > 0) {
    throw stateError(`reviewSubmissions with id '${id}' is not in valid state.`, {
      [`/v1/appStoreVersions/${version.id}`]: lacksOf(world, version),
    })
  }
  const isBeside = world.submissions.some(
    (each) => each !== submission && each.versionId !== null && isOpen(each)
  )
  if (version && isBeside) {
    throw new Refusal(409, {
      code: 'STATE_ERROR.SUBMISSION_IN_PROGRESS',
      title: 'The request cannot be fulfilled because of the state of another resource.',
      detail: 'There is a review submission in progress for this platform.',
    })
  }
  submission.state = 'WAITING_FOR_REVIEW'
  if (!version) return
  version.state = 'WAITING_FOR_REVIEW'
  version.submissions += 1
}

const isOpen = ({ state }: FakeSubmission) => PENDING.includes(state) || state === 'CANCELING'

/** Cancels a submission. Its version keeps its state until the cancellation takes effect. */
function cancel({ settings }: World, submission: FakeSubmission, now: number): void {
  if (!PENDING.includes(submission.state) && submission.state !== 'UNRESOLVED_ISSUES') {
    throw stateError(`reviewSubmissions with id '${submission.id}' is not in valid state.`)
  }
  submission.state = 'CANCELING'
  submission.cancelledAt = now + settings.cancelingMs
}

/** Withdraws an approved version by the older kind of submission. */
export function removeOldSubmission(world: World, request: JsonApiRequest): void {
  const id = request.params[0].replace(/^submission-/, '')
  const version = world.versions.find((each) => each.id === id)
  if (version?.state !== 'PENDING_DEVELOPER_RELEASE') {
    throw notFound('appStoreVersionSubmissions', request.params[0])
  }
  version.state = 'DEVELOPER_REJECTED'
}
