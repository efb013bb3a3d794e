import type { ActName } from './act_names.js'
import type { Reader, Refused } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import type { Release, ShownStep } from './answers.js'
import { tagOf, type Tags } from './tags.js'

/** Something that the reader can do about a step. */
export interface Act {
  /** The address of the form, or of its confirmation page. */
  address: string
  word: string
  /** True if it cannot be undone, so that a page shows the consequences first. */
  asksFirst: boolean
  isMain: boolean
  /** The entity tag of the entity that it changes; null for none. */
  tag: string | null
}

interface Declared {
  /** The last part of the address. */
  act: ActName
  word: string
  operation: string
  /** Archetypes of the steps that offer it. */
  types: readonly string[]
  asksFirst: boolean
  /** True if it completes its step, so that another one matters after it. */
  completes?: boolean
  /** The message after it is done. */
  said: string
  /** A warning for the reader; absent if the action can be undone. */
  mind?: string
  /** The member of the body that overrides the rules, and the label of its box, if there is one. */
  force?: { field: string; label: string }
  body?: Record<string, unknown>
  /** True if its operation is about the run of the step rather than the release. */
  ofRun?: boolean
  /** @param review the step of the store's review that goes with this one; null for none */
  isOffered(step: ShownStep, release: Release, review: ShownStep | null): boolean
}

const isClosed = (status: string) => status === 'completed' || status === 'skipped'
const isOpen = ({ status }: ShownStep) => status !== 'complete'
const isHeldBy = ({ unmet }: ShownStep, ...codes: readonly string[]) =>
  unmet.some(({ code }) => codes.includes(code))
const isActive = ({ status, phase }: Release) => status === 'active' && phase !== 'upcoming'

/** An approved version can be withdrawn from the App Store until it is released. */
const isApprovedByApple = ({ data }: ShownStep) =>
  (data.appStoreVersion as { apple?: { appStoreState: string } } | null)?.apple?.appStoreState ===
  'PENDING_DEVELOPER_RELEASE'

/** The acts on steps; each runs one operation. */
export const ACTS: readonly Declared[] = [
  {
    act: 'kickoff',
    word: 'Kick off',
    operation: 'kickOffRelease',
    types: ['kickoff'],
    asksFirst: true,
    completes: true,
    said: 'Kicked off.',
    mind: 'A kickoff creates the branch and copies settings into the release. It cannot be undone.',
    isOffered: (_, { phase, status }) => phase === 'upcoming' && !isClosed(status),
  },
  {
    act: 'build',
    word: 'Run the build',
    operation: 'triggerCIWorkflow',
    types: ['releaseCandidate', 'rollbackBuild'],
    asksFirst: false,
    said: 'The build was requested from CI.',
    body: {},
    ofRun: true,
    isOffered: (step, release) => isActive(release) && step.stepRunId !== null,
  },
  {
    act: 'approve',
    word: 'Approve as they are now',
    operation: 'updateStepRunApproval',
    types: ['screenshots', 'metadata'],
    asksFirst: false,
    said: 'Approved as they are now.',
    body: { approved: true },
    ofRun: true,
    isOffered: (step, release) => isActive(release) && isOpen(step) && step.stepRunId !== null,
  },
  {
    act: 'submit',
    word: 'Submit',
    operation: 'submitRelease',
    types: ['submission'],
    asksFirst: true,
    completes: true,
    said: 'The store is being asked to review it.',
    mind: 'If you withdraw it later, it loses its place in the queue.',
    body: {},
    force: {
      field: 'submitWithIncompleteSteps',
      label: 'Submit although required steps are not complete',
    },
    isOffered: (step, release, review) =>
      isActive(release) &&
      (isOpen(step) || (review !== null && isHeldBy(review, 'review_rejected'))) &&
      !isHeldBy(step, 'submission_running'),
  },
  {
    act: 'withdraw',
    word: 'Withdraw from review',
    operation: 'developerRejectSubmission',
    types: ['storeReview', 'submission'],
    asksFirst: true,
    said: 'The store is being asked to withdraw it from review.',
    mind: 'It loses its place in the queue of the store.',
    isOffered: (_, { phase, status }, review) =>
      !isClosed(status) &&
      (review === null
        ? phase === 'submitted' || phase === 'inReview'
        : isHeldBy(review, 'waiting_for_review', 'in_review') || isApprovedByApple(review)),
  },
  {
    act: 'takeoff',
    word: 'Release to users',
    operation: 'takeOffRelease',
    types: ['takeoff'],
    asksFirst: true,
    completes: true,
    said: 'The store is being asked to release it.',
    mind: 'Users get it. A rollout can be stopped; users who have the version keep it.',
    body: {},
    force: { field: 'force', label: 'Release it at the share with which it was submitted' },
    isOffered: (step, { phase, status }) =>
      !isClosed(status) &&
      isOpen(step) &&
      (phase === 'readyToRelease' || isHeldBy(step, 'release_pending')),
  },
  {
    act: 'complete',
    word: 'Complete the release',
    operation: 'completeRelease',
    types: ['rollout'],
    asksFirst: true,
    completes: true,
    said: 'The release is complete.',
    mind: 'A complete release is closed and cannot be reopened.',
    body: {},
    force: { field: 'force', label: 'Complete it although not all users have it' },
    isOffered: (step, release) => isActive(release) && isOpen(step),
  },
]

interface About {
  release: Release
  steps: readonly ShownStep[]
  /** The address of the page of the step. */
  address: string
  tags: Tags
  reader: Reader
  refused: Refused | null
}

/** Returns the acts that a reader can do at a step now. */
export function actsOf(step: ShownStep, { release, tags, reader, refused, ...of }: About): Act[] {
  const review =
    of.steps.find(
      ({ type, destinationId }) => type === 'storeReview' && destinationId === step.destinationId
    ) ?? null
  return ACTS.filter(
    ({ types, operation, isOffered }) =>
      types.includes(step.type) && reader.may(operation) && isOffered(step, release, review)
  ).map(({ act, word, asksFirst, operation }, index) => {
    const address = `${of.address}/act/${act}`
    const tag = seenTag(tagOf(operation, tags, step.stepRunId), address, refused)
    return {
      address,
      word,
      asksFirst,
      isMain: index === 0 && act !== 'complete' && act !== 'withdraw',
      tag,
    }
  })
}
