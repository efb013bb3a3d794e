import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { columnsOf, type Table } from '#foundation/core/database/table'

/*
 * Tables are described once in code and made by migrations: the two say the same.
 */

const ROOT = fileURLToPath(new URL('../', import.meta.url))

async function describedTables(): Promise<Table[]> {
  const files = globSync('app/**/tables.ts', { cwd: ROOT })
  const modules: object[] = await Promise.all(
    files.map((path) => import(pathToFileURL(join(ROOT, path)).href))
  )
  return modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value): value is Table => isTable(value))
}

function isTable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && 'columns' in value
}

test.group('tables', () => {
  test('have the columns in the database that the code describes, and no others', async ({
    assert,
  }) => {
    const tables = await describedTables()
    assert.isAbove(tables.length, 20)
    const differing: string[] = []
    for (const table of tables) {
      const { name } = table
      const stored = Object.keys(await db.connection().columnsInfo(name))
      const described = columnsOf(table)
      for (const column of described) {
        if (!stored.includes(column)) differing.push(`${name}.${column} needs a migration`)
      }
      for (const column of stored) {
        if (!described.includes(column)) differing.push(`${name}.${column} is not described`)
      }
    }
    assert.deepEqual(differing, [])
  })
})
