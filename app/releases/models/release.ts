import { column } from '@adonisjs/lucid/orm'
import type { AppSettings } from '#apps/settings'
import type { Instant } from '#foundation/core/clock'
import { flag, json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { Actor } from '#foundation/core/scope'
import type { Version } from '#workflow/version'
import type { CustomMetadataEntry } from '../entities.js'
import type {
  CreateEditReleaseType,
  ReleaseRegressionTestingStatus,
  ReleaseStatus,
  ReleaseTimelinePhase,
  ReleaseType,
} from '../vocabulary.js'

/** What a hotfix asks of version control when it is kicked off. */
export interface HotfixOptions {
  createBranch: boolean
  bumpVersion: boolean
  cherryPickCommits: string[]
}

/**
 * A release: recorded facts, its place on the train (status, ruled on by the engine's
 * transitions), and the last evaluation of the facts (phase, readiness, regression
 * status), which only `settle` writes.
 */
export default class Release extends TenantModel {
  static override table = 'releases'

  /** Internal; see `publicId`. */
  @column({ isPrimary: true })
  declare id: string

  @column()
  declare appId: string

  @column()
  declare version: string

  @column()
  declare versionMajor: number

  @column()
  declare versionMinor: number

  @column()
  declare versionPatch: number

  @column()
  declare createType: CreateEditReleaseType

  @column()
  declare releaseType: ReleaseType

  @column()
  declare releaseName: string | null

  @column()
  declare releaseDescription: string | null

  @column()
  declare status: ReleaseStatus

  @column()
  declare statusBeforeSkip: ReleaseStatus | null

  @column()
  declare phase: ReleaseTimelinePhase

  @column()
  declare pilotId: string | null

  @column()
  declare targetKickoffAt: Instant | null

  @column()
  declare targetSubmitAt: Instant | null

  @column()
  declare targetReleaseAt: Instant | null

  @column()
  declare kickedOffAt: Instant | null

  @column()
  declare submittedAt: Instant | null

  @column()
  declare approvedAt: Instant | null

  @column()
  declare releasedAt: Instant | null

  @column()
  declare completedAt: Instant | null

  @column()
  declare skippedAt: Instant | null

  @column()
  declare releaseBranch: string | null

  @json()
  declare baseTag: { name: string; commitHash: string | null } | null

  @json()
  declare rollback: { sourceVersion: string; targetVersion: string } | null

  @json()
  declare hotfixOptions: HotfixOptions | null

  @column()
  declare regressionStatus: ReleaseRegressionTestingStatus

  @flag()
  declare readyToSubmit: boolean

  @flag()
  declare readyToRelease: boolean

  @flag()
  declare automationsPaused: boolean

  /** Copy of the app's settings, taken when the release was made. */
  @json()
  declare settings: AppSettings

  @json()
  declare customMetadata: CustomMetadataEntry[] | null

  @json()
  declare createdBy: Actor

  @column()
  declare nextLookAt: Instant | null

  @column()
  declare createdAt: Instant

  @column()
  declare updatedAt: Instant

  get parts(): Version {
    return { major: this.versionMajor, minor: this.versionMinor, patch: this.versionPatch }
  }

  /** The id that clients use. */
  get publicId(): string {
    return `${this.appId}:${this.version}`
  }
}
