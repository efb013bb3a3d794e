import type { ChangedRows } from '../../core/database/changed_rows.js'
import { ExtensionPoint } from '../../core/extension_point.js'
import type { Scope } from '../../core/scope.js'

/** Describes the automations that changed rows arm. Equal automations have equal texts. */
export interface ArmedAutomations {
  textsOf(scope: Scope, rows: ChangedRows): Promise<string[]>
}

export const armedAutomations = new ExtensionPoint<ArmedAutomations>()

/** Returns the texts of the automations that changed rows arm. */
export async function armedBy(scope: Scope, rows: ChangedRows): Promise<string[]> {
  const armed = await Promise.all(armedAutomations.all.map((each) => each.textsOf(scope, rows)))
  return armed.flat()
}
