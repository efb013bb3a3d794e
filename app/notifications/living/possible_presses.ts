import { approvalsMissing, type FixRequestRow } from '#fixes/requests/fix_approvals'
import { isDone } from '#releases/engine/items'
import { stateOf } from '#releases/preconditions/state_of'
import type { ReleaseFacts } from '../queries/message_facts.js'

/** An action that is possible on a release now, for people with the right to it. */
export interface Press {
  label: string
  style?: 'primary' | 'danger'
  operation: string
  params: Record<string, string>
  body?: unknown
  /** The confirmation question; absent for actions that can be undone, or that stop something. */
  asks?: string
  /** The press applies to the present state alone: it does nothing once that has changed. */
  isBound?: true
  /** The step that it is about; null for the release. */
  stepId: string | null
}

/** The maximum number of buttons for approvals, and of those for late fixes; the page has all. */
const MAX_APPROVALS = 5

type Given = Pick<ReleaseFacts, 'release' | 'why' | 'facts'> & {
  /** It takes off together with the other release of its pair, and the takeoff is not over. */
  isTakenOffTogether: boolean
  /**
   * A store has the other release of its pair. Events of that release do not update this message, so
   * only a press finds out whether it can be stopped.
   */
  isOtherInStore: boolean
  /** Late fixes that wait for approvals, the newest first. */
  fixes: readonly FixRequestRow[]
}

/** Returns the buttons below the message of a release: only actions that are possible now. */
export function possiblePresses(given: Given): Press[] {
  const { appId, publicId: releaseId } = given.release
  const common = { appId, releaseId }
  const presses = [
    ...kickoff(given),
    ...approvals(given),
    ...approvalsOfFixes(given),
    ...stops(given),
  ]
  return presses.map(({ params, ...press }) => ({ ...press, params: { ...common, ...params } }))
}

function kickoff({ release, facts }: Given): Press[] {
  if (!stateOf(release).allowedActions.includes('kickoff')) return []
  const step = facts.steps.find(({ type }) => type === 'kickoff')
  return [
    {
      label: 'Kick off',
      style: 'primary',
      operation: 'kickOffRelease',
      params: {},
      asks: `Kick off ${release.version} now? It cannot be undone.`,
      stepId: step?.id ?? null,
    },
  ]
}

function approvals({ release, why, facts }: Given): Press[] {
  if (release.status !== 'active' || why.phase === 'upcoming') return []
  const ofItems = facts.items
    .filter((item) => item.kind === 'approval' && !isDone(item))
    .map(({ id, title, stepId }): Press => ({
      label: `Approve: ${title}`,
      operation: 'updateChecklistItemStatus',
      stepId,
      params: { checklistItemId: id },
      body: { status: 'approved' },
    }))
  const ofTexts = facts.steps.flatMap((step): Press[] =>
    (step.type === 'screenshots' || step.type === 'metadata') &&
    step.facts.edited &&
    !step.facts.approved
      ? [
          {
            label: `Approve: ${step.name}`,
            operation: 'updateStepRunApproval',
            params: { stepRunId: step.run.id },
            body: { approved: true },
            stepId: step.id,
            isBound: true,
          },
        ]
      : []
  )
  return [...ofItems, ...ofTexts].slice(0, MAX_APPROVALS)
}

/** A merge is approved up to a known commit, so it has no button before there is one. */
function approvalsOfFixes({ release, fixes }: Given): Press[] {
  if (release.status !== 'active') return []
  const open = fixes.filter(
    (fix) => approvalsMissing(fix) > 0 && (fix.wayIn !== 'backMerge' || fix.mergeHead !== null)
  )
  return open.slice(0, MAX_APPROVALS).map(({ id, title, mergeHead }) => ({
    operation: 'approveFixRequest',
    stepId: null,
    // The commit comes before the title, as chats cut off the end of long labels.
    label: `Approve fix${mergeHead === null ? '' : ` ${mergeHead.slice(0, 7)}`}: ${title}`,
    params: { fixRequestId: id },
    body: mergeHead === null ? {} : { mergesCommit: mergeHead },
  }))
}

/** The red button needs no confirmation. */
function stops({ facts, isTakenOffTogether, isOtherInStore }: Given): Press[] {
  const rolling = facts.steps.find(
    (step) => step.type === 'rollout' && step.facts.state === 'active'
  )
  const isGoingOut = facts.steps.some((step) => step.type === 'takeoff' && step.facts.underWay)
  const pause: Press[] = rolling
    ? [
        {
          label: 'Pause the rollout',
          operation: 'changeRollout',
          params: {},
          body: { action: 'pause' },
          stepId: rolling.id,
        },
      ]
    : []
  if (!rolling && !isGoingOut && !isTakenOffTogether) return []
  const red = { style: 'danger', operation: 'pressRedButton', params: {}, stepId: null } as const
  const both = { ...red, label: 'Red button: stop both releases of the pair', body: { pair: true } }
  return [
    ...pause,
    { ...red, label: 'Red button: stop it at once' },
    ...(isOtherInStore ? [both] : []),
  ]
}
