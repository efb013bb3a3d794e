import { of, select } from '#foundation/core/database/statement'
import { openStoredFile } from '#foundation/core/files/stored_files'
import { storedFiles } from '#foundation/core/files/tables'
import type { Scope } from '#foundation/core/scope'
import type { NewReviewFile } from '#plugin-kit/capabilities/stores'
import { reviewAttachments } from '../tables.js'

const SELECT_BY_RELEASE = select(
  {
    ...of(reviewAttachments, 'a', ['fileName', 'contentType', 'size', 'sha256']),
    ...of(storedFiles, 'f', ['key']),
  },
  `from app_store_review_attachments a join stored_files f on f.id = a.file_id
  where a.organization_id = :org and f.organization_id = :org and a.app_id = :appId
    and (a.release_id = :releaseId or a.release_id is null)
  order by a.created_at, a.id`
)

/**
 * Returns the files for the store's reviewers of a release: its own, and those of the app without a
 * release.
 */
export async function reviewFilesOf(
  scope: Scope,
  { id: releaseId, appId }: { id: string; appId: string }
): Promise<NewReviewFile[]> {
  const rows = await scope.rows(SELECT_BY_RELEASE, { appId, releaseId })
  return rows.map(({ fileName: name, contentType, size, sha256, key }) => ({
    name,
    contentType,
    size,
    sha256,
    read: (from, length) => readPart(key, size, from, length),
  }))
}

async function readPart(key: string, size: number, from: number, length: number) {
  if (from >= size || length <= 0) return new Uint8Array()
  const range = { first: from, last: Math.min(size, from + length) - 1 }
  return new Uint8Array(Buffer.concat(await (await openStoredFile(key, range)).toArray()))
}
