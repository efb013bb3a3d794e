import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { flag, json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { ReleaseStepType, ReleaseType } from '#releases/vocabulary'
import type { ItemOwner } from '../entities.js'
import type { ApprovalRules } from '../approvals.js'
import type { ItemKind } from '../vocabulary.js'

/**
 * An item as the app defines it: a template of every matching release, or a one-off of a
 * single one. Releases hold copies (`release_items`).
 */
export default class ChecklistItem extends TenantModel {
  static override table = 'checklist_items'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare appId: string

  @column()
  declare kind: ItemKind

  @column()
  declare title: string

  @column()
  declare description: string | null

  /** The releases it applies to; a one-off belongs to its release whatever they say. */
  @json()
  declare releaseTypes: ReleaseType[]

  /** Names are those of the time the owners were set. */
  @json()
  declare owners: ItemOwner[]

  @flag()
  declare required: boolean

  @flag()
  declare notifyOnCompletion: boolean

  /** Set: the item is on this step. Null: on the first step of `stepType`. */
  @column()
  declare stepConfigId: string | null

  @column()
  declare stepType: ReleaseStepType | null

  @column()
  declare position: number

  /** Internal id of the release of a one-off. */
  @column()
  declare releaseId: string | null

  /** The rules of an approval; empty for other kinds. */
  @json()
  declare settings: Partial<ApprovalRules>

  /** Id of the user or key that made it. */
  @column()
  declare createdBy: string | null

  @column()
  declare createdAt: Instant

  @column()
  declare updatedAt: Instant

  @column()
  declare deletedAt: Instant | null
}
