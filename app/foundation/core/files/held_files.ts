import { change, of } from '../database/statement.js'
import { newId } from '../ids.js'
import type { Scope } from '../scope.js'
import { discardFiles, type NewFile } from './stored_files.js'
import { storedFiles } from './tables.js'

const HOLD = change(
  `insert into stored_files (id, organization_id, sha256, size, key, holders, lost,
    created_at)
  values (:id, :org, :sha256, :size, :key, 1, false, :now)
  on conflict (organization_id, sha256) do update set holders = stored_files.holders + 1,
    key = case when stored_files.lost then excluded.key else stored_files.key end, lost = false`,
  of(storedFiles, 'stored_files', ['id', 'key'])
)
const HOLD_AGAIN = change(
  'update stored_files set holders = holders + 1 where organization_id = :org and id = :id',
  of(storedFiles, 'stored_files', ['id'])
)
const LET_GO = change(
  'update stored_files set holders = holders - 1 where organization_id = :org and id = :id',
  of(storedFiles, 'stored_files', ['key', 'holders'])
)
const FORGET = change('delete from stored_files where organization_id = :org and id = :id')

/**
 * Counts a new reference of a row to a file. If the organization already has the same content, the
 * reference is to that one, and the new copy is removed after the commit (unless the old one was
 * lost).
 * @returns the id for the reference
 */
export async function referenceFile(scope: Scope, file: NewFile): Promise<string> {
  const { rows } = await scope.change(HOLD, { id: newId('file'), ...file, now: scope.now })
  const [{ id, key }] = rows
  if (key !== file.key) discardAfterCommit(scope, file.key)
  return id
}

/**
 * Counts a further reference to a file that other rows name, even if its bytes are lost.
 * @returns whether the file is still named by any row
 */
export async function holdAgain(scope: Scope, id: string): Promise<boolean> {
  return (await scope.change(HOLD_AGAIN, { id })).rows.length > 0
}

/** Releases references to files; a file without references is removed after the commit. */
export async function dereferenceFiles(scope: Scope, ids: readonly string[]): Promise<void> {
  // Always in the same order, so that two transactions with the same files do not deadlock.
  for (const id of [...ids].sort()) {
    const { rows } = await scope.change(LET_GO, { id })
    if (rows.length === 0 || rows[0].holders > 0) continue
    await scope.change(FORGET, { id })
    discardAfterCommit(scope, rows[0].key)
  }
}

/**
 * Removes a file once the transaction has committed. If that fails, the file stays behind and the
 * failure is logged.
 */
export function discardAfterCommit(scope: Scope, key: string): void {
  scope.transaction.after('commit', () => discardFiles([key]))
}
