import type {
  BetaTestingFacts,
  BuildFacts,
  FeatureReadinessFacts,
  ItemFacts,
  KickoffFacts,
  ListingFacts,
  ReleaseFacts,
  StepFacts,
  TranslationsFacts,
} from './facts.js'
import type { Assessment } from './assessment.js'
import { COMPLETE, incomplete } from './assessment.js'
import {
  actors,
  CI_SYSTEM,
  holderOf,
  ISSUE_TRACKER,
  itemCondition,
  STORE,
  TRANSLATION_SERVICE,
  type Who,
} from './conditions.js'
import { isBlocking, isDone, hasBegun } from './items.js'
import { approvals, regressionTesting } from './item_step_rules.js'
import { rollout, storeReview, submission, takeoff } from './store_step_rules.js'

/**
 * Assesses one step by the rule of its archetype (docs/explanation/statuses.md), and then by its
 * checklist items, which may make a step of any archetype `inProgress` or `blocked`.
 */
export function assessStep(
  facts: ReleaseFacts,
  step: StepFacts,
  items: readonly ItemFacts[]
): Assessment {
  const own = assessArchetype(facts, step, items)
  const checklist = items.filter((item) => item.kind === 'checklist' && item.required)
  return withChecklist(facts, own, checklist)
}

function assessArchetype(
  facts: ReleaseFacts,
  step: StepFacts,
  items: readonly ItemFacts[]
): Assessment {
  switch (step.type) {
    case 'kickoff':
      return kickoff(facts, step.facts)
    case 'featureReadiness':
      return featureReadiness(facts, step.facts)
    case 'translations':
      return translations(step.facts)
    case 'rollbackBuild':
    case 'releaseCandidate':
      return build(step.facts)
    case 'regressionTesting':
      return regressionTesting(facts, step, step.facts, items)
    case 'betaTesting':
      return betaTesting(step.facts)
    case 'screenshots':
    case 'metadata':
      return listing(step.type, step.facts)
    case 'approvals':
      return approvals(facts, step, step.facts, items)
    case 'submission':
      return submission(facts, step.facts)
    case 'storeReview':
      return storeReview(step.facts)
    case 'takeoff':
      return takeoff(facts, step.facts)
    case 'rollout':
      return rollout(step.facts)
  }
}

/**
 * Applies required checklist items to the assessment of a step. A blocking item makes the step
 * `blocked`, an open item keeps it from `complete`, and an item that has begun starts it.
 */
function withChecklist(
  facts: ReleaseFacts,
  own: Assessment,
  checklist: readonly ItemFacts[]
): Assessment {
  const open = checklist.filter((item) => !isDone(item))
  const unmet = [...own.unmet, ...open.map((item) => itemCondition(facts, item))]
  if (own.status === 'blocked' || open.some(isBlocking)) return { status: 'blocked', unmet }
  if (own.status === 'complete') return open.length ? { status: 'inProgress', unmet } : COMPLETE
  if (own.status === 'notStarted' && !checklist.some(hasBegun)) {
    return { status: 'notStarted', unmet }
  }
  return { status: 'inProgress', unmet }
}

function kickoff(facts: ReleaseFacts, own: KickoffFacts): Assessment {
  if (facts.kickedOffAt !== null) return COMPLETE
  const who = actors(facts, 'CreateBranchPromoteCode', 'kickoff')
  const { blockedReason, connection, isOfVersionFiles } = own
  if (blockedReason !== null) {
    const maintainers: Who[] = isOfVersionFiles ? [holderOf('UpdateAppSettings')] : []
    if (connection !== undefined) {
      maintainers.push(holderOf('AddRemoveEditIntegration'), { type: 'provider', name: connection })
    }
    return incomplete('blocked', {
      code: 'kickoff_failed',
      message: blockedReason,
      who: [...who, ...maintainers],
    })
  }
  return incomplete('notStarted', {
    code: 'not_kicked_off',
    message: 'The release is not kicked off.',
    who,
  })
}

function featureReadiness(facts: ReleaseFacts, { counts }: FeatureReadinessFacts): Assessment {
  if (!counts || counts.ready + counts.notReady + counts.ignored + counts.missing === 0) {
    return incomplete('notStarted', {
      code: 'no_feature_items',
      message: 'No feature of this release is known yet.',
      // Without a source, only somebody who can connect an integration can help.
      who: [holderOf('AddRemoveEditIntegration')],
    })
  }
  const who = [holderOf('UpdateFeatureReadiness'), ISSUE_TRACKER]
  if (counts.missing > 0 && facts.kickedOffAt !== null) {
    return incomplete('blocked', {
      code: 'features_missing',
      message: `Missing from the release: ${counts.missing} of its features.`,
      who,
    })
  }
  const open = counts.notReady + counts.missing
  if (open === 0) return COMPLETE
  return incomplete('inProgress', {
    code: 'features_not_ready',
    message: `Not ready: ${open} of the release's features.`,
    who,
  })
}

function translations({ locales }: TranslationsFacts): Assessment {
  if (!locales) {
    return incomplete('notStarted', {
      code: 'no_translation_source',
      message: 'No translation progress is known yet.',
      // Without a source, only somebody who can connect an integration can help.
      who: [holderOf('AddRemoveEditIntegration')],
    })
  }
  const open = locales.filter(({ percentage }) => percentage < 100)
  if (open.length === 0) return COMPLETE
  return {
    status: 'inProgress',
    unmet: open.map(({ locale, percentage }) => ({
      code: 'locale_incomplete',
      message: `${locale} is translated to ${percentage} %.`,
      subject: { type: 'locale', id: locale, name: locale },
      who: [TRANSLATION_SERVICE],
    })),
  }
}

/** Assesses a build step. A canceled or skipped build has no result, as if there were no build. */
function build({ activeBuild }: BuildFacts): Assessment {
  const who = [holderOf('TriggerCIWorkflow'), CI_SYSTEM]
  switch (activeBuild) {
    case 'success':
      return COMPLETE
    case 'pending':
    case 'running':
      return incomplete('inProgress', {
        code: 'build_running',
        message: `The active build is ${activeBuild}.`,
        who: [CI_SYSTEM],
      })
    case 'failed':
      return incomplete('blocked', {
        code: 'build_failed',
        message: 'The active build failed.',
        who,
      })
    case 'canceled':
    case 'skipped':
      return incomplete('notStarted', {
        code: 'build_without_result',
        message: `The active build was ${activeBuild}.`,
        who,
      })
    case null:
      return incomplete('notStarted', {
        code: 'no_build',
        message: 'There is no build yet.',
        who: [holderOf('TriggerCIWorkflow')],
      })
  }
}

function betaTesting({ state, buildNumber, raw }: BetaTestingFacts): Assessment {
  const tested = buildNumber === undefined ? 'The beta build' : `The beta build ${buildNumber}`
  const word = raw === undefined ? '' : ` (${raw})`
  const promoters = [holderOf('PromoteBetaBuildToTestingTrack')]
  switch (state) {
    case 'available':
      return COMPLETE
    case 'inReview':
      return incomplete('inProgress', {
        code: 'beta_in_review',
        message: `${tested} is in review${word}.`,
        who: [STORE],
      })
    case 'rejected':
      return incomplete('blocked', {
        code: 'beta_rejected',
        message: `${tested} was rejected${word}.`,
        who: promoters,
      })
    case null:
      return incomplete('notStarted', {
        code: 'no_beta_build',
        message: 'There is no beta build yet.',
        who: promoters,
      })
  }
}

function listing(name: 'screenshots' | 'metadata', state: ListingFacts): Assessment {
  if (state.approved) return COMPLETE
  return incomplete(state.edited ? 'inProgress' : 'notStarted', {
    code: 'not_approved',
    message: `The ${name} ${name === 'screenshots' ? 'are' : 'is'} not approved.`,
    who: [holderOf('ApproveScreenshotsMetadata')],
  })
}
