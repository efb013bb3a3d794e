import type { Scope } from '../../core/scope.js'
import { ok, type ResponseReader } from './response.js'

export interface DryRunQuery {
  dryRun?: boolean
}

/** Makes a change and returns its result. A dry run returns the result without the change. */
export async function applyOrRehearse<Shown>(
  scope: Scope,
  { dryRun }: DryRunQuery,
  act: (scope: Scope) => Promise<() => Promise<Shown>>
): Promise<ResponseReader> {
  if (!dryRun) {
    const show = await act(scope)
    return async () => ok(await show())
  }
  const { result } = await scope.rehearse(act)
  return async () => ok(result)
}
