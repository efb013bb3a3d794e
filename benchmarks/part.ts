import type { DatabaseKind } from './stand.js'

/** A row of a table of docs/benchmarks.md, with its units. */
export interface Row {
  /** The measured thing, understandable without the rows above it. */
  what: string
  service: string
  /** The name of the baseline, and its figure. */
  beside?: string
  ratio?: number
  aim?: string
}

/** A part that `npm run bench -- <name>` runs. */
export interface Part {
  name: string
  what: string
  /** The variable of the environment without which the part is left out. */
  needs?: string
  /** Answers all rows of the part; they replace those of earlier runs. */
  measure(): Promise<Row[]>
}

/** A part that is measured on one of the databases. */
export const on = (
  database: DatabaseKind,
  name: string,
  what: string,
  measure: () => Promise<Row[]>
): Part => ({
  name: `${name}-${database}`,
  what,
  ...(database === 'postgres' && { needs: 'BENCH_DATABASE_URL' }),
  measure,
})

/** The parts that measure the same thing on each of the databases. */
export const both = (
  name: string,
  what: string,
  measure: (database: DatabaseKind) => Promise<Row[]>
): Part[] =>
  (['sqlite', 'postgres'] as const).map((database) =>
    on(database, name, what, () => measure(database))
  )
