import type { ArchiveContents } from '#app-archives/metadata'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { buildReadings } from '../tables.js'

const CONTENTS = select(
  of(buildReadings, 'r', ['contents']),
  'from build_readings r where r.organization_id = :org and r.build_id = :id'
)

/** Returns the contents of a build's file, which lists leave out; null if it was not read. */
export async function contentsOf(scope: Scope, buildId: string): Promise<ArchiveContents | null> {
  const [read] = await scope.rows(CONTENTS, { id: buildId })
  return read?.contents ?? null
}
