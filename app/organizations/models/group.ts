import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { flag, json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { UserAction } from '../vocabulary.js'

/** A group of users with the user actions its members and keys may use. */
export default class Group extends TenantModel {
  static override table = 'groups'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare name: string

  @column()
  declare nameKey: string

  @flag()
  declare isDefault: boolean

  @json()
  declare userActions: UserAction[]

  @column()
  declare createdAt: Instant

  @column()
  declare updatedAt: Instant
}
