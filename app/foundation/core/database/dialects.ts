import type { Bindings } from './statement.js'
import type { Stored } from './table.js'

/*
 * A statement is written once, with named bindings (`:name`) and lists that are bound as JSON
 * (`id in json(:ids)`). Each database gets it in its own words.
 */

/** A statement as PostgreSQL gets it: its bindings have numbers. */
export interface Numbered {
  text: string
  /** Names of the bindings in the order of their numbers. */
  order: readonly string[]
}

/** As an array, which planners look up in an index whatever they think of the table. */
const LIST = 'array(select jsonb_array_elements_text(cast($1 as jsonb)))'

export function forPostgres(sql: string): Numbered {
  const order: string[] = []
  const text = sql
    .replace(/\bnot in json\((:\w+)\)/g, `<> all(${LIST})`)
    .replace(/\bin json\((:\w+)\)/g, `= any(${LIST})`)
    .replace(/(?<!:):([a-zA-Z]\w*)/g, (_, name: string) => {
      let place = order.indexOf(name)
      if (place < 0) place = order.push(name) - 1
      return `$${place + 1}`
    })
  return { text, order }
}

/** The values of a statement in the order of their numbers. */
export function inOrder({ order }: Numbered, bindings: Bindings): Stored[] {
  return order.map((name) => bindings[name])
}

/**
 * A bound limit is a sum, because SQLite plans a statement whose limit is bound anew at every
 * call.
 */
export function forSqlite(sql: string): string {
  return sql
    .replace(/\blimit (:\w+)(?!\s*\+)/g, 'limit $1+0')
    .replace(/\bin json\((:\w+)\)/g, 'in (select value from json_each($1))')
}

/** SQLite knows no booleans. */
export function withoutBooleans(bindings: Bindings): Record<string, string | number | null> {
  const values: Record<string, string | number | null> = {}
  for (const name in bindings) {
    const value = bindings[name]
    values[name] = typeof value === 'boolean' ? Number(value) : value
  }
  return values
}
