import type { BoundSelect } from '../../core/database/connections.js'
import type { Principal } from '../../core/principal.js'
import type { AsksAhead } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import { parameters } from '../operation/parameters.js'

type Params = Readonly<Record<string, string>>

/** Sends the first reads of a write in advance, by the parameters of its path. */
export function askForFirst({ path }: AnyOperation, asker: AsksAhead, params: Params): void {
  for (const [, parameter] of parameters.in(path)) parameter.askAhead?.(asker, params)
}

/** Returns the first reads of a write as SELECTs, so that another member can send them. */
export function readFirst(
  operation: AnyOperation,
  principal: Principal,
  params: Params
): readonly BoundSelect[] {
  const selects: BoundSelect[] = []
  const org = principal.organization.id
  const askAhead: AsksAhead['askAhead'] = (statement, bindings) => {
    selects.push({ statement, bindings: { ...bindings, org } })
  }
  askForFirst(operation, { askAhead }, params)
  return selects
}
