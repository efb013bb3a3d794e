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
  words,
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
  'What a release wants of one store, beside what the store shows.',
  {
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    integrationInstallationId: id('Id of the integration of that store.'),
    standing: words(
      ['agreed', 'underWay', 'failed', 'question'],
      'Whether store and release agree, the store is being asked, could not be brought there, or a person has to decide.'
    ),
    selectedBuildId: nullable(id('Id of the build that ships there; null until one is chosen.')),
    selectedByHand: flag('Whether a person chose it: then it stays.'),
    wanted: nullable(
      object('The last decision about the version; null before any.', {
        ...stageMembers,
        ...decisionMembers,
      })
    ),
    rollout: nullable(
      object('The last decision about its rollout; null before any.', {
        ...rolloutMembers,
        ...decisionMembers,
      })
    ),
    seen: nullable(
      object('What the store shows; null while it has no such version.', {
        state: nonEmpty(
          'State in the words of the service; `unknown` for one it does not know.',
          64
        ),
        raw: text('The same in the words of the store.', 64),
        at: instant('When the store was last read, in UTC.'),
        rollout: nullable(
          object('Its rollout; null without one.', {
            state: nonEmpty('State in the words of the service.', 64),
            percentage: percentage('Share of users who can have it.'),
          })
        ),
      })
    ),
    nextStage: nullable(
      object('When the service raises the rollout by itself; null if it does not.', {
        at: instant('When, in UTC.'),
        percentage: percentage('How far.'),
      })
    ),
    inConsole: nullable(
      object(
        'What waits for a person in the console of the store, as no call does it; null for nothing.',
        {
          do: words(
            ['publish', 'sendForReview'],
            'Publish what managed publishing holds, or send changes for review.'
          ),
          url: url('Where the console is.'),
        }
      )
    ),
    question: nullable(
      object('What a person has to decide, as store and service both moved; null for nothing.', {
        about: words(['submission', 'release', 'rollout'], 'What it is about.'),
        message: nonEmpty('What happened, for people.', 1000),
        since: instant('Since when it is open, in UTC.'),
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
  if (decisions.some((decision) => decision?.is === 'underWay')) return 'underWay'
  return decisions.some((decision) => decision?.is === 'failed') ? 'failed' : 'agreed'
}

const PLAY_CONSOLE = 'https://play.google.com/console'

/** Returns what a person has to do in the Play Console; null for nothing. */
function inConsole({ target, plan, version }: StoreOfRelease): StorePlan['inConsole'] {
  const known = version?.known
  if (target.storeType !== 'google' || !known) return null
  if (known.waitsForSending) return { do: 'sendForReview', url: PLAY_CONSOLE }
  const { what, is } = plan?.wanted ?? {}
  const isHeld = known.state === 'pendingRelease' && what === 'released' && is === 'underWay'
  return isHeld ? { do: 'publish', url: PLAY_CONSOLE } : null
}
