import { BaseModel, SnakeCaseNamingStrategy, column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { flag } from '#foundation/core/database/columns'

/** A tenant: everything else belongs to one. */
export default class Organization extends BaseModel {
  static override table = 'organizations'
  static override selfAssignPrimaryKey = true
  static override namingStrategy = new SnakeCaseNamingStrategy()

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare name: string

  @column()
  declare iconUrl: string | null

  @flag()
  declare roleBasedAccessEnabled: boolean

  @flag()
  declare addNewUsersToAllApps: boolean

  /** Whether writes to an entity must carry If-Match. */
  @flag()
  declare requireIfMatch: boolean

  @column()
  declare createdAt: Instant

  @column()
  declare updatedAt: Instant
}
