import type { ChangedRows } from '../../core/database/changed_rows.js'
import { ExtensionPoint } from '../../core/extension_point.js'
import type { Scope } from '../../core/scope.js'

/** Says what acts by itself once rows are changed, as texts that stay the same as long as it does. */
export interface Armed {
  textsOf(scope: Scope, rows: ChangedRows): Promise<string[]>
}

export const armedExtensions = new ExtensionPoint<Armed>()

/** Returns what acts by itself after rows have changed. */
export async function armedBy(scope: Scope, rows: ChangedRows): Promise<string[]> {
  const armed = await Promise.all(armedExtensions.all.map((each) => each.textsOf(scope, rows)))
  return armed.flat()
}
