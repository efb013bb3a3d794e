import { of, select } from '../database/statement.js'
import type { Scope } from '../scope.js'
import { storedFiles } from './tables.js'

const STORED = select(
  of(storedFiles, 's', ['key', 'size']),
  'from stored_files s where s.organization_id = :org and s.id = :id'
)

/** Returns the key and size in bytes of a file that a row names; null if no row names it. */
export async function storedFile(
  scope: Scope,
  fileId: string
): Promise<{ key: string; size: number } | null> {
  const [stored] = await scope.rows(STORED, { id: fileId })
  return stored ?? null
}

/** Returns the key of a file that a row names; null if no row names it any more. */
export async function storedKey(scope: Scope, fileId: string): Promise<string | null> {
  return (await storedFile(scope, fileId))?.key ?? null
}
