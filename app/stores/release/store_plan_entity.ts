import type { Static } from '@sinclair/typebox'
import {
  entity,
  flag,
  id,
  instant,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  url,
  enumOf,
} from '#foundation/core/schemas'
import {
  rolloutMembers,
  decisionMembers,
  stageMembers,
  reportedDecision,
} from '../decisions/decision_members.js'
import type { StoreOfRelease } from '../queries/store_state.js'

/** The plan of a release for one store, beside what the store shows. */
export const StorePlanEntity = entity(
  'StorePlan',
  'Plan of a release for one store, and what the store shows.',
  {
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    integrationInstallationId: id('Id of the store’s integration.'),
    standing: enumOf(
      ['agreed', 'underWay', 'failed', 'question'],
      'Whether store and release agree, a request to the store is under way or failed, or a person has to decide.'
    ),
    selectedBuildId: nullable(id('Id of the build to ship; null until one is selected.')),
    selectedByHand: flag('Whether a person selected the build, so it stays.'),
    wanted: nullable(
      object('Latest decision about the version; null if none.', {
        ...stageMembers,
        ...decisionMembers,
      })
    ),
    rollout: nullable(
      object('Latest decision about the rollout; null if none.', {
        ...rolloutMembers,
        ...decisionMembers,
      })
    ),
    seen: nullable(
      object('Latest observation; null while the store has no such version.', {
        state: nonEmpty('Normalized state; `unknown` if unrecognized.', 64),
        raw: text('State as reported by the store.', 64),
        at: instant('When the store was last read, in UTC.'),
        rollout: nullable(
          object('Rollout; null if none.', {
            state: nonEmpty('Normalized state.', 64),
            percentage: percentage('Share of users offered the version.'),
          })
        ),
      })
    ),
    nextStage: nullable(
      object('Next automatic increase of the rollout; null if none.', {
        at: instant('When it is due, in UTC.'),
        percentage: percentage('Share of users after the increase.'),
      })
    ),
    inConsole: nullable(
      object('What a person must do in the store’s console, as no API call can; null if nothing.', {
        do: enumOf(
          ['publish', 'sendForReview'],
          'Publish what managed publishing holds, or send changes for review.'
        ),
        url: url('URL of the console.'),
      })
    ),
    question: nullable(
      object('What a person has to decide, as both store and service acted; null if nothing.', {
        about: enumOf(['submission', 'release', 'rollout'], 'Subject of the question.'),
        message: nonEmpty('Human-readable message.', 1000),
        since: instant('When the question arose, in UTC.'),
      })
    ),
  }
)
export type StorePlan = Static<typeof StorePlanEntity>

/** Returns the plan of a release for one store as the API shows it. */
export function storePlan(store: StoreOfRelease): StorePlan {
  const { target, plan, version } = store
  const { wanted = null, rollout = null, question = null } = plan ?? {}
  return {
    destinationId: target.destinationId,
    integrationInstallationId: target.integrationId,
    standing: standingOf(plan),
    selectedBuildId: plan?.buildId ?? null,
    selectedByHand: plan?.byHand ?? false,
    wanted: wanted && { what: wanted.what, ...reportedDecision(wanted) },
    rollout: rollout && { ...rollout.to, ...reportedDecision(rollout) },
    seen: version && {
      state: version.seen.state,
      raw: version.seen.raw,
      at: version.seen.at,
      rollout: version.seen.rollout && {
        state: version.seen.rollout.state,
        percentage: version.seen.rollout.percentage,
      },
    },
    nextStage: plan?.nextStage ?? null,
    inConsole: inConsole(store),
    question,
  }
}

function standingOf(plan: StoreOfRelease['plan']): StorePlan['standing'] {
  if (plan?.question) return 'question'
  const decisions = [plan?.wanted, plan?.rollout]
  if (decisions.some((decision) => decision?.status === 'underWay')) return 'underWay'
  return decisions.some((decision) => decision?.status === 'failed') ? 'failed' : 'agreed'
}

const PLAY_CONSOLE = 'https://play.google.com/console'

/** Returns what a person has to do in the Play Console; null for nothing. */
function inConsole({ target, plan, version }: StoreOfRelease): StorePlan['inConsole'] {
  const known = version?.known
  if (target.storeType !== 'google' || !known) return null
  if (known.waitsForSending) return { do: 'sendForReview', url: PLAY_CONSOLE }
  const { what, status } = plan?.wanted ?? {}
  const isHeld = known.state === 'pendingRelease' && what === 'released' && status === 'underWay'
  return isHeld ? { do: 'publish', url: PLAY_CONSOLE } : null
}
