import { of, select } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { redButtons } from '../tables.js'

const PRESSED = select(
  of(redButtons, 'b', ['issueId', 'pressedAt']),
  'from red_buttons b where b.organization_id = :org and b.release_id = :releaseId'
)

/** When the red button of a release was pressed; null where it was not, or a person let it go on. */
export async function pressedOf(
  scope: Scope,
  releaseId: string
): Promise<Pick<RowOf<typeof redButtons>, 'issueId' | 'pressedAt'> | null> {
  const [pressed] = await scope.rows(PRESSED, { releaseId })
  return pressed ?? null
}
