import type { LucidRow } from '@adonisjs/lucid/types/model'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The model of a row that was read by a statement written out: as if the model had read it. */
export function modelFrom<Model>(
  model: new () => Model,
  row: object,
  client: TransactionClientContract
): Model {
  const instance = new model()
  const lucid = instance as unknown as LucidRow
  Object.assign(lucid.$attributes, row)
  lucid.$hydrateOriginals()
  lucid.$isPersisted = true
  lucid.$isLocal = false
  lucid.useTransaction(client)
  return instance
}
