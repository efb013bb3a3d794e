import type { BoundSelect } from '../../core/database/connections.js'
import type { Principal } from '../../core/principal.js'
import type { Prefetcher } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import { parameters } from '../operation/parameters.js'

type Params = Readonly<Record<string, string>>

/** Sends the first reads of a write in advance, by the parameters of its path. */
export function prefetchFirst({ path }: AnyOperation, asker: Prefetcher, params: Params): void {
  for (const [, parameter] of parameters.in(path)) parameter.prefetch?.(asker, params)
}

/** Returns the first reads of a write as SELECTs, so that another member can send them. */
export function readFirst(
  operation: AnyOperation,
  principal: Principal,
  params: Params
): readonly BoundSelect[] {
  const selects: BoundSelect[] = []
  const org = principal.organization.id
  const prefetch: Prefetcher['prefetch'] = (statement, bindings) => {
    selects.push({ statement, bindings: { ...bindings, org } })
  }
  prefetchFirst(operation, { prefetch }, params)
  return selects
}
