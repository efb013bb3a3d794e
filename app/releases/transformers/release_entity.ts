import type { PersonSummary } from '#organizations/queries/people'
import type { ReleaseOwnMembers } from '../entities.js'
import type { ReleaseRow } from '../queries/read_release.js'

/** What a release shows of itself, beside what its parts add. */
export function ownMembers(release: ReleaseRow, pilot: PersonSummary | null): ReleaseOwnMembers {
  return {
    id: release.publicId,
    appId: release.appId,
    version: release.version,
    releaseName: release.releaseName,
    releaseDescription: release.releaseDescription,
    releaseType: release.releaseType,
    status: release.status,
    phase: release.phase,
    releasePilot: pilot && { id: pilot.id, email: pilot.email, name: pilot.name },
    releasePilotId: release.pilotId,
    targetKickoffAt: release.targetKickoffAt,
    targetSubmitAt: release.targetSubmitAt,
    targetReleaseAt: release.targetReleaseAt,
    kickedOffAt: release.kickedOffAt,
    submittedAt: release.submittedAt,
    approvedAt: release.approvedAt,
    releasedAt: release.releasedAt,
    completedAt: release.completedAt,
    skippedAt: release.skippedAt,
    releaseBranch: release.releaseBranch,
    baseTag: release.baseTag,
    tag: release.tag,
    regressionStatus: release.regressionStatus,
    readyToSubmit: release.readyToSubmit,
    readyToRelease: release.readyToRelease,
    rollback: release.rollback,
    customMetadata: release.customMetadata && { entries: release.customMetadata },
    automationsPaused: release.automationsPaused,
    createdAt: release.createdAt,
    updatedAt: release.updatedAt,
    createdBy: release.createdBy,
  }
}
