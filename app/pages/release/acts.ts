import type { Reader } from '../frame/page.js'
import type { Release } from './answers.js'
import type { ShownStep } from './read.js'

/** Something that the reader can do about a step. */
export interface Act {
  /** The address of the form, or of the page that asks once more. */
  address: string
  word: string
  /** Whether it cannot be taken back, so that a page shows first what will happen. */
  asksFirst: boolean
  isMain: boolean
}

interface Declared {
  /** The last part of the address. */
  act: string
  word: string
  operation: string
  /** Archetypes of the steps that offer it. */
  types: readonly string[]
  asksFirst: boolean
  isOffered(step: ShownStep, release: Release): boolean
}

const isOpen = ({ status }: ShownStep) => status !== 'complete'
const isActive = ({ status }: Release) => status === 'active'

/** What can be done about steps, by archetype; each asks for one operation. */
export const ACTS: readonly Declared[] = [
  {
    act: 'kickoff',
    word: 'Kick off',
    operation: 'kickOffRelease',
    types: ['kickoff'],
    asksFirst: true,
    isOffered: (_, { status }) => status === 'upcoming',
  },
  {
    act: 'build',
    word: 'Run the build',
    operation: 'triggerCIWorkflow',
    types: ['releaseCandidate', 'rollbackBuild'],
    asksFirst: false,
    isOffered: (step, release) => isActive(release) && step.stepRunId !== null,
  },
  {
    act: 'approve',
    word: 'Approve as they are now',
    operation: 'updateStepRunApproval',
    types: ['screenshots', 'metadata'],
    asksFirst: false,
    isOffered: (step, release) => isActive(release) && isOpen(step) && step.stepRunId !== null,
  },
  {
    act: 'submit',
    word: 'Submit',
    operation: 'submitRelease',
    types: ['submission'],
    asksFirst: true,
    isOffered: (step, release) => isActive(release) && isOpen(step) && release.submittedAt === null,
  },
  {
    act: 'withdraw',
    word: 'Withdraw from review',
    operation: 'developerRejectSubmission',
    types: ['storeReview', 'submission'],
    asksFirst: true,
    isOffered: (_, { phase }) => phase === 'submitted' || phase === 'inReview',
  },
  {
    act: 'takeoff',
    word: 'Release to users',
    operation: 'takeOffRelease',
    types: ['takeoff'],
    asksFirst: true,
    isOffered: (_, { phase }) => phase === 'readyToRelease',
  },
  {
    act: 'complete',
    word: 'Complete the release',
    operation: 'completeRelease',
    types: ['rollout'],
    asksFirst: true,
    isOffered: (_, { phase, status }) => status === 'active' && phase === 'released',
  },
]

/** Returns what a reader can do about a step now. */
export function actsOf(step: ShownStep, release: Release, address: string, reader: Reader): Act[] {
  return ACTS.filter(
    ({ types, operation, isOffered }) =>
      types.includes(step.type) && reader.may(operation) && isOffered(step, release)
  ).map(({ act, word, asksFirst }, index) => ({
    address: `${address}/act/${act}`,
    word,
    asksFirst,
    isMain: index === 0,
  }))
}
