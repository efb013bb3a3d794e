import { isDeepStrictEqual } from 'node:util'
import type { LucidRow } from '@adonisjs/lucid/types/model'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** Makes a model of a row that a statement read, as if the model had read it itself. */
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
