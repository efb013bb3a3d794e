import type { Bindings } from './statement.js'
import type { Stored } from './table.js'

/*
 * A statement is written once, with named bindings (`:name`) and lists that are bound as JSON
 * (`id in json(:ids)`) or stored as JSON (`id in ids of(i.owners)`). It is translated into the SQL
 * of each database.
 */

/** A statement for PostgreSQL, with numbered bindings. */
export interface Numbered {
  text: string
  /** Names of the bindings in the order of their numbers. */
  order: readonly string[]
}

/** A list as an array: the planner then uses an index whatever it estimates for the table. */
const LIST = 'array(select jsonb_array_elements_text(cast($1 as jsonb)))'

/** The `id` of each object in a column that holds a list of them as JSON. */
const IDS = "array(select e->>'id' from jsonb_array_elements(cast($1 as jsonb)) e)"

export function forPostgres(sql: string): Numbered {
  const order: string[] = []
  const text = sql
    .replace(/\bnot in json\((:\w+)\)/g, `<> all(${LIST})`)
    .replace(/\bin json\((:\w+)\)/g, `= any(${LIST})`)
    .replace(/\bin ids of\((\w+\.\w+)\)/g, `= any(${IDS})`)
    .replace(/(?<!:):([a-zA-Z]\w*)/g, (_, name: string) => {
      let place = order.indexOf(name)
      if (place < 0) place = order.push(name) - 1
      return `$${place + 1}`
    })
  return { text, order }
}

/** Returns the values of a statement in the order of their numbers. */
export function inOrder({ order }: Numbered, bindings: Bindings): Stored[] {
  return order.map((name) => bindings[name])
}

/**
 * Writes a binding as `+:name` and a limit as `:limit+0`: for a bare binding SQLite makes a plan
 * that depends on its value, so it would plan again at every call.
 */
export function forSqlite(sql: string): string {
  return sql
    .replace(/\bin json\((:\w+)\)/g, 'in (select value from json_each($1))')
    .replace(/\bin ids of\((\w+\.\w+)\)/g, "in (select value->>'id' from json_each($1))")
    .replace(/\blimit (:\w+)(?!\s*\+)/g, 'limit $1+0')
    .replace(/(?<![:\w]|limit ):([a-zA-Z]\w*)/g, '+:$1')
}

/** SQLite knows no booleans. */
export const withoutBoolean = (value: Stored): string | number | null =>
  typeof value === 'boolean' ? Number(value) : value

export function withoutBooleans(bindings: Bindings): Record<string, string | number | null> {
  const values: Record<string, string | number | null> = {}
  for (const name in bindings) values[name] = withoutBoolean(bindings[name])
  return values
}
