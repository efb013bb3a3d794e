import type { PersonSummary } from '#organizations/queries/people'
import type { ReleaseOwnMembers } from '../entities.js'
import type { ReleaseRow } from '../queries/read_release.js'
import { requestedPicks, type RequestedPick } from '../picks/cherry_picks.js'

/** Members of a release that are shown as stored. */
const COPIED = [
  'appId',
  'version',
  'releaseName',
  'releaseDescription',
  'releaseType',
  'status',
  'phase',
  'targetKickoffAt',
  'targetSubmitAt',
  'targetReleaseAt',
  'inAppUpdatePriority',
  'kickedOffAt',
  'submittedAt',
  'approvedAt',
  'releasedAt',
  'completedAt',
  'skippedAt',
  'releaseBranch',
  'baseTag',
  'tag',
  'regressionStatus',
  'readyToSubmit',
  'readyToRelease',
  'rollback',
  'automationsPaused',
  'imported',
  'createdAt',
  'updatedAt',
  'createdBy',
] as const satisfies readonly (keyof ReleaseRow & keyof ReleaseOwnMembers)[]

type Copied = Pick<ReleaseRow, (typeof COPIED)[number]>

function copiedMembers(release: ReleaseRow): Copied {
  const copy: Record<string, unknown> = {}
  for (const name of COPIED) copy[name] = release[name]
  return copy as Copied
}

const shownPick = ({ commit, dismissed, ...pick }: RequestedPick) => ({
  hash: commit,
  ...pick,
  dismissedBy: dismissed && dismissed.by,
  dismissedReason: dismissed && dismissed.reason,
  dismissedAt: dismissed && dismissed.at,
})

/** Returns a release as the API shows it, without the members of extensions. */
export function ownMembers(release: ReleaseRow, pilot: PersonSummary | null): ReleaseOwnMembers {
  return {
    id: release.publicId,
    ...copiedMembers(release),
    releasePilot: pilot && { id: pilot.id, email: pilot.email, name: pilot.name },
    releasePilotId: release.pilotId,
    ...(release.hotfixOptions?.cherryPickCommits.length && {
      cherryPicks: requestedPicks(release).map(shownPick),
    }),
    customMetadata: release.customMetadata && { entries: release.customMetadata },
  }
}
