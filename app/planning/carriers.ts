import type { Scope } from '#foundation/core/scope'
import { KickOffRelease, type Kickoff } from '#releases/actions/kick_off_release'
import type Release from '#releases/models/release'
import { wishBackMerge } from '#releases/version_control/back_merge'
import { wishBump } from '#releases/version_control/bump_version'
import { wishTag } from '#releases/version_control/tag_release'
import type { CodeWish } from '#releases/version_control/wish_branch'
import type { Phase } from './calendar/freezes.js'
import { versionAfter } from './queries/version_after.js'
import type { Following } from './vocabulary.js'

/**
 * The actions that automations call, the very ones that requests do. Submitting to a store and
 * releasing from it come with the stores; until then an automation says that it cannot.
 */
export const CARRIERS: Partial<
  Record<Phase, (scope: Scope, release: Release) => Promise<Kickoff>>
> = {
  kickoff: (scope, release) => new KickOffRelease(scope).handle(release),
}

/** The next version is to be worked on from now on. */
const bumpToNext = async (scope: Scope, release: Release): Promise<CodeWish> =>
  wishBump(scope, release, { version: await versionAfter(scope, release), isWorkingBranch: true })

/** The same of automations that follow something. */
export const FOLLOW_UP_CARRIERS: Record<
  Following,
  (scope: Scope, release: Release) => Promise<CodeWish>
> = {
  bumpVersionAfterKickoff: bumpToNext,
  bumpVersionAfterSubmission: bumpToNext,
  bumpVersionAfterRelease: bumpToNext,
  tagOnRelease: wishTag,
  backMergeAfterRelease: wishBackMerge,
}
