import { isDeepStrictEqual } from 'node:util'
import type { LucidRow } from '@adonisjs/lucid/types/model'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Returns a model for a row that a statement read, as if the model had loaded it. */
export function modelFrom<Model>(
  model: new () => Model,
  row: object,
  client: TransactionClientContract
): Model {
  const instance = new model()
  const lucid = instance as unknown as LucidRow
  Object.assign(lucid.$attributes, row)
  // Most values cannot be changed in place and need no copy.
  lucid.$original = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isPrimitive(value) ? value : structuredClone(value),
    ])
  )
  lucid.$isPersisted = true
  lucid.$isLocal = false
  lucid.useTransaction(client)
  return instance
}

/** Returns whether a model has unsaved changes. Lucid's own check is too slow for hot paths. */
export function hasChanged({ $attributes: now, $original: before }: LucidRow): boolean {
  return Object.keys(now).some((name) => {
    const value: unknown = now[name]
    return value !== before[name] && (isPrimitive(value) || !isDeepStrictEqual(value, before[name]))
  })
}

function isPrimitive(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
