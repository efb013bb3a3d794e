import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { AppStoreReleaseSettings } from '../settings.js'
import type { StoreKind } from '../vocabulary.js'

/** Another store, bundle id or label that the app's releases go to. */
export default class Destination extends TenantModel {
  static override table = 'destinations'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare appId: string

  @column()
  declare name: string

  @column()
  declare storeType: StoreKind

  @column()
  declare position: number

  @json()
  declare appStoreReleaseSettings: AppStoreReleaseSettings

  @column()
  declare createdAt: Instant
}
