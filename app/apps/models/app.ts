import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type {
  AppSettings,
  AppStoreReleaseSettings,
  BranchSettings,
  FeatureAffiliation,
  TagSettings,
} from '../settings.js'
import type { AppPlatform } from '../vocabulary.js'

/** An app with its settings; its workflow is in its step configs. */
export default class App extends TenantModel {
  static override table = 'apps'

  /** A slug of name and platform; stable when the name changes. */
  @column({ isPrimary: true })
  declare id: string

  @column()
  declare name: string

  @column()
  declare platform: AppPlatform

  @column()
  declare appGroup: string | null

  /** Where the configuration says the icon is. */
  @column()
  declare iconUrl: string | null

  /** Key of the uploaded icon on the disk. */
  @column()
  declare iconFile: string | null

  @json()
  declare settings: AppSettings

  @json()
  declare branchSettings: BranchSettings[]

  @json()
  declare tagSettings: TagSettings[]

  @json()
  declare featureAffiliations: FeatureAffiliation[]

  @json()
  declare appStoreReleaseSettings: AppStoreReleaseSettings

  @column()
  declare createdAt: Instant

  @column()
  declare updatedAt: Instant
}
