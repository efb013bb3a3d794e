import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { flag } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { ReleaseStepStatus, ReleaseStepType } from '../vocabulary.js'

/** A step within a release: a copy of the app's step config with the status of its current run. */
export default class ReleaseStep extends TenantModel {
  static override table = 'release_steps'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare releaseId: string

  @column()
  declare stepConfigId: string

  @column()
  declare name: string

  @column()
  declare type: ReleaseStepType

  @column()
  declare groupIndex: number

  @column()
  declare position: number

  @flag()
  declare required: boolean

  @column()
  declare destinationId: string | null

  @column()
  declare status: ReleaseStepStatus

  @column()
  declare statusChangedAt: Instant | null

  /** The current run. */
  @column()
  declare stepRunId: string
}
