import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'

/** @throws app_scope_missing when the key is restricted to apps and so cannot create another one */
export function requireMayCreateApps({ permissions: { admin, appIds } }: Scope): void {
  if (admin || appIds === null) return
  throw refuse('app_scope_missing', {
    detail: 'A key that is restricted to certain apps cannot create another one.',
  })
}
