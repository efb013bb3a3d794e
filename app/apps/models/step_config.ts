import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { ReleaseStepType } from '#releases/vocabulary'
import type { StepReleaseTypes } from '../settings.js'

/** One step of an app's workflow; releases hold copies of it. */
export default class StepConfig extends TenantModel {
  static override table = 'step_configs'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare appId: string

  @column()
  declare name: string

  @column()
  declare type: ReleaseStepType

  @column()
  declare groupIndex: number

  /** Within the group. */
  @column()
  declare position: number

  @json()
  declare releaseTypes: StepReleaseTypes

  @column()
  declare destinationId: string | null

  @column()
  declare createdAt: Instant
}
