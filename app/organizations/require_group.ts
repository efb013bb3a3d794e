import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import Group from './models/group.js'

/** @throws default_group */
export function requireCustom(group: Group): void {
  if (!group.isDefault) return
  throw refuse('default_group', {
    detail: `${group.name} is a default group: its name and actions cannot change.`,
    currentStatus: 'default',
    allowedActions: [],
  })
}

/** @throws name_taken when another group has the name, ignoring case */
export async function requireFreeName(scope: Scope, name: string, exceptId = ''): Promise<void> {
  const taken = await scope
    .query(Group)
    .where('nameKey', name.toLowerCase())
    .whereNot('id', exceptId)
    .first()
  if (!taken) return
  throw refuse('name_taken', {
    detail: `There is a group named ${taken.name}.`,
    errors: [{ pointer: '/name', code: 'name_taken', message: 'The name is taken.' }],
  })
}
