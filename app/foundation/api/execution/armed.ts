import type { ChangedRows } from '../../core/database/changed_rows.js'
import { ExtensionPoint } from '../../core/extension_point.js'
import type { Scope } from '../../core/scope.js'

/**
 * Describes automations that are armed by changed rows, as texts that are equal for equal
 * automations.
 */
export interface Armed {
  textsOf(scope: Scope, rows: ChangedRows): Promise<string[]>
}

export const armedExtensions = new ExtensionPoint<Armed>()

/** Returns the armed automations after rows have changed. */
export async function armedBy(scope: Scope, rows: ChangedRows): Promise<string[]> {
  const armed = await Promise.all(armedExtensions.all.map((each) => each.textsOf(scope, rows)))
  return armed.flat()
}
