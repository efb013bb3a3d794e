import { column } from '@adonisjs/lucid/orm'
import type { Instant } from '#foundation/core/clock'
import { flag, json } from '#foundation/core/database/columns'
import { TenantModel } from '#foundation/core/database/tenant_model'
import type { BucketStatus, BucketType, PermissionLevel, BucketRuleType } from '../vocabulary.js'

/** A group or a user, by id: names may change. */
export interface BucketMemberRow {
  type: 'group' | 'user'
  id: string
  permissionLevel: PermissionLevel
}

export interface BucketRuleRow {
  id: string
  type: BucketRuleType
  branch: string | null
  baseBranch: string | null
  workflow: string | null
  fileFilterPatterns: string[]
}

/** Where builds are handed to testers. */
export default class Bucket extends TenantModel {
  static override table = 'buckets'

  @column({ isPrimary: true })
  declare id: string

  @column()
  declare appId: string

  @column()
  declare name: string

  @column()
  declare type: BucketType

  @column()
  declare status: BucketStatus

  @flag()
  declare orgWideAccessEnabled: boolean

  @flag()
  declare notificationsEnabled: boolean

  @column()
  declare position: number

  @json()
  declare members: BucketMemberRow[]

  @json()
  declare rules: BucketRuleRow[]

  @column()
  declare createdAt: Instant

  @column()
  declare updatedAt: Instant
}
