import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { TenantModel } from '#foundation/core/database/tenant_model'

/** A person of an organization; `invited` until they were seen. */
export default class User extends TenantModel {
  static override table = 'users'

  @column({ isPrimary: true })
  declare id: string

  /** Lower case. */
  @column()
  declare email: string

  @column()
  declare name: string | null

  @column()
  declare status: 'active' | 'invited'

  @column()
  declare createdAt: Instant
}
