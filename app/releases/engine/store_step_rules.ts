import type {
  ReleaseFacts,
  RolloutFacts,
  StoreQuestion,
  StoreReviewFacts,
  SubmissionFacts,
  TakeoffFacts,
} from './facts.js'
import type { Assessment } from './assessment.js'
import { COMPLETE, incomplete } from './assessment.js'
import { actors, holderOf, SERVICE, STORE, type Condition } from './conditions.js'

/** Puts an open question before the other conditions of a step. */
function withQuestion(question: StoreQuestion | undefined, assessment: Assessment): Assessment {
  if (!question) return assessment
  const condition = {
    code: 'store_question' as const,
    message: question,
    who: [holderOf('SubmitForReview')],
  }
  return { ...assessment, unmet: [condition, ...assessment.unmet] }
}

/** Assesses a submission step. An invalid binary blocks even a submission that was made. */
export function submission(facts: ReleaseFacts, part: SubmissionFacts): Assessment {
  if (part.submitted && !part.invalidBinary) return COMPLETE
  return withQuestion(part.question, openSubmission(facts, part))
}

/**
 * Returns the condition of a failed submission.
 * @param isAway true if the store could not be reached, false if it refused the submission
 */
export const submissionFailed = (failure: string, isAway = false): Condition => ({
  code: 'submission_failed',
  message:
    `${isAway ? 'The store could not be reached for the submission' : 'The store refused the submission'}: ${failure}`.slice(
      0,
      1000
    ),
  who: [holderOf('SubmitForReview')],
})

function openSubmission(facts: ReleaseFacts, part: SubmissionFacts): Assessment {
  if (part.invalidBinary) {
    return incomplete('blocked', {
      code: 'invalid_binary',
      message: 'The store refused the binary as invalid: another build is needed.',
      who: [holderOf('SelectBuild'), holderOf('TriggerCIWorkflow')],
    })
  }
  if (part.underWay) {
    return incomplete('inProgress', {
      code: 'submission_running',
      message: 'The submission is on its way to the store.',
      who: [SERVICE],
    })
  }
  if (part.failure) {
    return incomplete(
      part.selectedBuild ? 'inProgress' : 'notStarted',
      submissionFailed(part.failure, part.isAway)
    )
  }
  if (part.selectedBuild) {
    return incomplete('inProgress', {
      code: 'not_submitted',
      message: 'A build is selected but not submitted for review.',
      who: actors(facts, 'SubmitForReview', 'submit'),
    })
  }
  return incomplete('notStarted', {
    code: 'no_build_selected',
    message: 'No build is selected for submission.',
    who: [holderOf('SelectBuild')],
  })
}

/** Maximum length of a condition's message, in characters. */
const MAX_MESSAGE_LENGTH = 1000

function whyRejected({ raw, reason, details }: NonNullable<StoreReviewFacts['rejection']>): string {
  const called = `The store reports ${raw}`
  if (reason === undefined) return `${called}, and gives the reason in its console.`
  const end = /[.!?]$/.test(reason) ? '' : '.'
  return [`${called}: ${reason}${end}`, ...(details === undefined ? [] : [details])].join(' ')
}

/** Returns the condition of a rejected release, with the reason if the store reports one. */
export function rejection({ rejection: reported }: StoreReviewFacts): Condition {
  const what =
    reported?.of === 'metadata'
      ? 'The store rejected texts or images of the release, but not its build'
      : 'The store rejected the release'
  const message = `${what}; it has to be submitted again.${reported ? ` ${whyRejected(reported)}` : ''}`
  return {
    code: 'review_rejected',
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    who: [holderOf('SubmitForReview')],
  }
}

export function storeReview(facts: StoreReviewFacts): Assessment {
  const { state } = facts
  switch (state) {
    case 'approved':
      return COMPLETE
    case 'waiting':
      return incomplete('inProgress', {
        code: 'waiting_for_review',
        message: 'The release is waiting for review by the store.',
        who: [STORE],
      })
    case 'inReview':
      return incomplete('inProgress', {
        code: 'in_review',
        message: 'The release is in review by the store.',
        who: [STORE],
      })
    case 'rejected':
      return incomplete('blocked', rejection(facts))
    case null:
      return incomplete('notStarted', {
        code: 'not_submitted',
        message: 'Nothing was submitted for review.',
        who: [holderOf('SubmitForReview')],
      })
  }
}

/** The condition of a released version that has not reached users yet. */
export const ON_ITS_WAY: Condition = {
  code: 'release_running',
  message: 'The release is on its way to users. This can take the store a while.',
  who: [STORE],
}

export function takeoff(facts: ReleaseFacts, part: TakeoffFacts): Assessment {
  return part.released ? COMPLETE : withQuestion(part.question, openTakeoff(facts, part))
}

function openTakeoff(facts: ReleaseFacts, part: TakeoffFacts): Assessment {
  if (part.underWay) return incomplete('inProgress', ON_ITS_WAY)
  if (part.pending) {
    const waits =
      part.notBefore === null
        ? 'The release is approved and waits to be released to users.'
        : `The release is approved and will not go to users before ${part.notBefore}.`
    const failed = part.failure ? ` The request to release it failed: ${part.failure}` : ''
    return incomplete('inProgress', {
      code: 'release_pending',
      message: `${waits}${failed}`.slice(0, 1000),
      who: part.notBefore === null ? actors(facts, 'SubmitForReview', 'release') : [STORE],
    })
  }
  return incomplete('notStarted', {
    code: 'not_released',
    message: 'The release is not released to users.',
    who: actors(facts, 'SubmitForReview', 'release'),
  })
}

/**
 * Returns whether a rollout ended in a store: it reached all users or was replaced by a higher
 * version.
 */
export const isEndedInStore = ({ state }: Pick<RolloutFacts, 'state'>): boolean =>
  state === 'completed' || state === 'replaced'

export function isRolledOut(facts: RolloutFacts): boolean {
  return isEndedInStore(facts) || (facts.state !== null && facts.percentage >= 100)
}

/** Describes the end of a replaced rollout; null for any other rollout. */
export function replacement({ state, percentage, replacedBy }: RolloutFacts): string | null {
  if (state !== 'replaced') return null
  return `replaced${replacedBy ? ` by ${replacedBy}` : ''} at ${percentage} %`
}

export function rollout(part: RolloutFacts): Assessment {
  return isRolledOut(part) ? COMPLETE : withQuestion(part.question, openRollout(part))
}

function openRollout(part: RolloutFacts): Assessment {
  const holders = [holderOf('SubmitForReview')]
  switch (part.state) {
    case 'paused':
      return incomplete('blocked', {
        code: 'rollout_paused',
        message: `The rollout is paused at ${part.percentage} %.`,
        who: holders,
      })
    case 'halted':
      return incomplete('blocked', {
        code: 'rollout_halted',
        message: `The rollout is halted at ${part.percentage} %.`,
        who: holders,
      })
    case null:
      return incomplete('notStarted', {
        code: 'rollout_not_started',
        message: 'The rollout has not begun.',
        who: holders,
      })
    default:
      return incomplete('inProgress', {
        code: 'rolling_out',
        message: `The rollout is at ${part.percentage} %.`,
        who: part.nextStage === null ? [STORE, ...holders] : [SERVICE, ...holders],
      })
  }
}
