import db from '@adonisjs/lucid/services/db'

interface SentQuery {
  method: string
  sql: string
}

/** Returns the number of rows of a table that each change affected during some work. */
export async function changesOf(table: string, work: () => Promise<unknown>): Promise<number[]> {
  const changed: number[] = []
  const client = db.connection().getWriteClient()
  const listener = (result: unknown, { method, sql }: SentQuery) => {
    const isChange = method === 'del' || method === 'update'
    if (isChange && new RegExp(`^(delete from|update) .${table}\\b`).test(sql)) {
      changed.push(Number(result))
    }
  }
  client.on('query-response', listener)
  try {
    await work()
  } finally {
    client.removeListener('query-response', listener)
  }
  return changed
}
