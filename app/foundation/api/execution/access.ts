import { Problem, refuse } from '../../core/problems/problem.js'
import type { Scope } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'

/** @throws action_missing, admin_required and others if the requester may not call the operation */
export function requireAccess({ access, demand }: AnyOperation, scope: Scope): void {
  const mayOwn = access.kind === 'actions' && access.orOwner && scope.hasGroups
  if (access.kind === 'actions' && !mayOwn) scope.demand(...access.anyOf)
  if (access.kind === 'admin' && !scope.permissions.admin) throw refuse('admin_required')
  demand?.(scope)
}

/** Returns whether the requester may call an operation at all. */
export function mayAccess(operation: AnyOperation, scope: Scope): boolean {
  try {
    requireAccess(operation, scope)
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}
