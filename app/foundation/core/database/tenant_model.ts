import { BaseModel } from '@adonisjs/lucid/orm'

/**
 * A row that an organization owns. It is reached only through a `Scope`: the static
 * finders of Lucid are closed off, so a query without a tenant does not type-check.
 */
export class TenantModel extends BaseModel {
  static override selfAssignPrimaryKey = true

  declare static query: never
  declare static find: never
  declare static findOrFail: never
  declare static findBy: never
  declare static findByOrFail: never
  declare static findMany: never
  declare static findManyBy: never
  declare static first: never
  declare static firstOrFail: never
  declare static all: never
  declare static create: never
  declare static createMany: never
  declare static firstOrCreate: never
  declare static updateOrCreate: never

  declare organizationId: string
}
