import { approvalsMissing, type FixRequestRow } from '#fixes/requests/fix_approvals'
import { isDone } from '#releases/engine/items'
import { stateOf } from '#releases/preconditions/state_of'
import type { redButtonIn } from '#rollouts/red_button'
import type { ReleaseFacts } from '../queries/message_facts.js'

/** An action that is possible on a release now, for people with the right to it. */
export interface Press {
  label: string
  style?: 'primary' | 'danger'
  operation: string
  params: Record<string, string>
  body?: unknown
  /** The confirmation question. Absent if the action can be undone or stops something. */
  asks?: string
  /** The press applies to the current state only: after a change, it does nothing. */
  isBound?: true
  /** The step that the action concerns; null for the whole release. */
  stepId: string | null
}

/** The maximum number of buttons for item approvals, and for late fixes. The page shows all. */
const MAX_APPROVALS = 5

type PressFacts = Pick<ReleaseFacts, 'release' | 'why' | 'facts'> & {
  /** The red button, as the page of the release has it. */
  red: ReturnType<typeof redButtonIn>['state']
  /**
   * A store has the other release of the pair. Only a press finds out whether that one can be
   * stopped.
   */
  isOtherInStore: boolean
  /** Late fixes that wait for approvals, the newest first. */
  fixes: readonly FixRequestRow[]
}

/** Returns the buttons below the message of a release: only actions that are possible now. */
export function possiblePresses(input: PressFacts): Press[] {
  const { appId, publicId: releaseId } = input.release
  const common = { appId, releaseId }
  const presses = [
    ...kickoff(input),
    ...approvals(input),
    ...approvalsOfFixes(input),
    ...stops(input),
  ]
  return presses.map(({ params, ...press }) => ({ ...press, params: { ...common, ...params } }))
}

function kickoff({ release, facts }: PressFacts): Press[] {
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

function approvals({ release, why, facts }: PressFacts): Press[] {
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

/** An approval of a merge names its head commit, so there is no button before the head is known. */
function approvalsOfFixes({ release, fixes }: PressFacts): Press[] {
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
function stops({ facts, red: state, isOtherInStore }: PressFacts): Press[] {
  const rolling = facts.steps.find(
    (step) => step.type === 'rollout' && step.facts.state === 'active'
  )
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
  if (state !== 'ready' && state !== 'idle') return pause
  const red = {
    ...(state === 'ready' && { style: 'danger' as const }),
    operation: 'pressRedButton',
    params: {},
    stepId: null,
  }
  const both = { ...red, label: 'Red button: stop both releases of the pair', body: { pair: true } }
  return [
    ...pause,
    { ...red, label: 'Red button: stop it at once' },
    ...(isOtherInStore ? [both] : []),
  ]
}
