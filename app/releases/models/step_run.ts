import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { ReleaseStepStatus } from '../vocabulary.js'

/** One attempt at a step with what was recorded about it. */
export default class StepRun extends TenantModel {
  static override table = 'step_runs'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare releaseId: string

  @column()
  declare stepId: string

  @column()
  declare attempt: number

  @column()
  declare status: ReleaseStepStatus

  @column()
  declare startedAt: Instant

  @column()
  declare completedAt: Instant | null

  /** The engine's facts of the step's type, and what belongs to them (a comment, a link). */
  @json()
  declare facts: Record<string, unknown>
}
