import { BaseModel } from '@adonisjs/lucid/orm'
import type { LucidModel } from '@adonisjs/lucid/types/model'
import { columnName, known, stored, type RowOf, type Stored, type Table } from './table.js'
import { TenantModel } from './tenant_model.js'

/**
 * The static side of a base class, with a constructor of instances that also have the columns of a
 * table. `Omit` drops the constructor of the base class.
 */
type ModelOf<Each extends Table, Base> = Omit<Base, 'new'> & {
  new (): InstanceType<Base extends abstract new (...args: never) => unknown ? Base : never> &
    RowOf<Each>
}

/**
 * Makes the model of a table whose rows belong to tenants, for rows that an action changes. It has
 * a member for every column; its key is `id`.
 */
export function modelOf<Each extends Table>(table: Each) {
  class Described extends TenantModel {}
  return described(Described, table) as unknown as ModelOf<Each, typeof TenantModel>
}

/** Makes the model of a table that belongs to no tenant. */
export function untenantedModelOf<Each extends Table>(table: Each) {
  class Described extends BaseModel {
    static override selfAssignPrimaryKey = true
  }
  return described(Described, table) as unknown as ModelOf<Each, typeof BaseModel>
}

function described(model: unknown, table: Table): LucidModel {
  const lucid = model as LucidModel
  lucid.table = table.name
  lucid.boot()
  for (const [member, column] of Object.entries(table.columns)) {
    lucid.$addColumn(member, {
      isPrimary: member === 'id',
      columnName: columnName(member),
      prepare: (value: unknown) => stored(column, value),
      consume: (value: Stored) => known(column, value),
    })
  }
  return lucid
}
