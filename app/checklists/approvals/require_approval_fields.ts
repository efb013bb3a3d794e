import { refuse } from '#foundation/core/problems/problem'
import type { ItemKind } from '#releases/vocabulary'

const APPROVAL_FIELDS = ['requiredApprovals', 'fourEyes', 'userEmail', 'breakGlass'] as const

/** @throws invalid_input if a body has a field for approvals and the item is of another kind */
export function requireApprovalFields(
  kind: ItemKind,
  input: Partial<Record<(typeof APPROVAL_FIELDS)[number], unknown>>
): void {
  if (kind === 'approval') return
  const errors = APPROVAL_FIELDS.filter((name) => input[name] !== undefined).map((name) => ({
    pointer: `/${name}`,
    code: 'approvals_only',
    message: `${name} is for approvals; this is an item of kind ${kind}.`,
  }))
  if (errors.length > 0) throw refuse('invalid_input', { detail: errors[0].message, errors })
}
