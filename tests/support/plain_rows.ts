import type { TableName } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'

/** Inserts rows of the organization by their columns, as nobody but a test does. */
export async function insertPlain(
  scope: Scope,
  table: TableName,
  rows: readonly Record<string, unknown>[]
): Promise<void> {
  await scope.client
    .table(table)
    .multiInsert(rows.map((row) => ({ ...row, organization_id: scope.organization.id })))
}
