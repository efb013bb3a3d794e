import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { flag } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'

/** A key for the API; only a hash of its secret is kept. */
export default class ApiKey extends TenantModel {
  static override table = 'api_keys'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare name: string

  @column()
  declare secretHash: string

  @flag()
  declare admin: boolean

  /** Whether it sees only the apps it was given, however many of them are left. */
  @flag()
  declare appRestricted: boolean

  @column()
  declare expiresAt: Instant | null

  @column()
  declare revokedAt: Instant | null

  @column()
  declare lastUsedAt: Instant | null

  @column()
  declare rotatedFrom: string | null

  @column()
  declare createdAt: Instant
}
