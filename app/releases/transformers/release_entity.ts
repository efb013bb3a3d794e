import type { ReleaseEntity } from '../entities.js'
import type { ReleaseFields } from '../queries/read_release.js'

export interface PilotRow {
  id: string
  email: string
  name: string | null
}

/** A release as the API shows it; builds and store states come with their modules. */
export function releaseEntity(release: ReleaseFields, pilot: PilotRow | null): ReleaseEntity {
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
    tag: null,
    regressionStatus: release.regressionStatus,
    readyToSubmit: release.readyToSubmit,
    readyToRelease: release.readyToRelease,
    selectedBuild: null,
    appStoreVersions: [],
    rollback: release.rollback,
    customMetadata: release.customMetadata && { entries: release.customMetadata },
    automationsPaused: release.automationsPaused,
    createdAt: release.createdAt,
    updatedAt: release.updatedAt,
    createdBy: release.createdBy,
  }
}
