import { unmarkedTickets } from '#features/marks/unmarked_tickets'
import { requestMarks } from '#features/marks/mark_tickets'
import type { Scope } from '#foundation/core/scope'
import { KickOffRelease, type Kickoff } from '#releases/actions/kick_off_release'
import type Release from '#releases/models/release'
import { requestBackMerge } from '#version_control/commits/back_merge'
import { requestBump } from '#version_control/commits/bump_version'
import { requestTag } from '#version_control/commits/tag_release'
import type { CodeCommand } from '#releases/ports'
import { SubmitRelease } from '#stores/actions/submit_release'
import { TakeOff } from '#stores/actions/take_off'
import { storesOf } from '#stores/queries/store_targets'
import type { Phase } from '../calendar/freezes.js'
import { versionAfter } from '../queries/version_after.js'
import type { TimedFollowUp } from '../vocabulary.js'
import { requestChannel } from './request_channel.js'

/** The actions that automations call: the same ones that requests call. */
export const PHASE_RUNNERS: Record<Phase, (scope: Scope, release: Release) => Promise<Kickoff>> = {
  kickoff: (scope, release) => new KickOffRelease(scope).handle(release),
  async submit(scope, release) {
    await new SubmitRelease(scope).handle(release)
    return { kind: 'underWay' }
  },
  async release(scope, release) {
    const requests = await new TakeOff(scope).handle(release)
    return { kind: requests > 0 ? 'underWay' : 'done' }
  },
}

/**
 * Returns whether an automation can act: submitting and releasing need an integration of a store.
 */
export async function canRunPhase(scope: Scope, appId: string, phase: Phase): Promise<boolean> {
  return phase === 'kickoff' || (await storesOf(scope, appId)).length > 0
}

/** Bumps the working branch to the next version. */
const bumpToNext = async (scope: Scope, release: Release): Promise<CodeCommand> =>
  requestBump(scope, release, {
    version: await versionAfter(scope, release),
    isWorkingBranch: true,
  })

/** The actions of follow-up automations. */
export const FOLLOW_UP_CARRIERS: Record<
  TimedFollowUp,
  (scope: Scope, release: Release) => Promise<CodeCommand>
> = {
  createChatChannel: requestChannel,
  addLabelsAndFixVersions: requestMarks,
  bumpVersionAfterKickoff: bumpToNext,
  bumpVersionAfterSubmission: bumpToNext,
  bumpVersionAfterRelease: bumpToNext,
  tagOnRelease: requestTag,
  backMergeAfterRelease: requestBackMerge,
}

/** Returns whether a follow-up that repeats has something to do now. */
export const HAS_WORK: Partial<
  Record<TimedFollowUp, (scope: Scope, release: { id: string; appId: string }) => Promise<boolean>>
> = {
  addLabelsAndFixVersions: async (scope, release) =>
    (await unmarkedTickets(scope, release)).length > 0,
}
