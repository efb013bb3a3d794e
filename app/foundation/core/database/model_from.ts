import { isDeepStrictEqual } from 'node:util'
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
  // Values that cannot be changed in place need no copy, which is most of them.
  lucid.$original = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isPlain(value) ? value : structuredClone(value),
    ])
  )
  lucid.$isPersisted = true
  lucid.$isLocal = false
  lucid.useTransaction(client)
  return instance
}

/**
 * Returns whether a model has unsaved changes; Lucid's own check costs more than everything else.
 */
export function hasChanged({ $attributes: now, $original: before }: LucidRow): boolean {
  return Object.keys(now).some((name) => {
    const value: unknown = now[name]
    return value !== before[name] && (isPlain(value) || !isDeepStrictEqual(value, before[name]))
  })
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
