import { of, select } from '../database/statement.js'
import type { Scope } from '../scope.js'
import { storedFiles } from './tables.js'

const STORED = select(
  of(storedFiles, 's', ['key', 'size']),
  'from stored_files s where s.organization_id = :org and s.id = :id'
)

/** Where Drive keeps a file that a row names, with its size in bytes; null when none names it. */
export async function storedFile(
  scope: Scope,
  fileId: string
): Promise<{ key: string; size: number } | null> {
  const [stored] = await scope.rows(STORED, { id: fileId })
  return stored ?? null
}

/** Where Drive keeps a file that a row names; null when nobody names it any more. */
export async function storedKey(scope: Scope, fileId: string): Promise<string | null> {
  return (await storedFile(scope, fileId))?.key ?? null
}
