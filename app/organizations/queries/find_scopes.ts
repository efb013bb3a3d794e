import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import Group from '../models/group.js'
import { organizationParts } from '../parts.js'

/** Returns the ids of groups given by id or by name, ignoring case. @throws not_found */
export async function findGroupIds(scope: Scope, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return []
  const groups = await scope.query(Group)
  const found = given.map((each) => {
    const group = groups.find(({ id, nameKey }) => id === each || nameKey === each.toLowerCase())
    if (group) return group.id
    const names = groups.map(({ name }) => name).sort()
    throw refuse('not_found', {
      detail: `There is no group "${each}"; there are ${names.join(', ')}.`,
    })
  })
  return [...new Set(found)]
}

/** Checks that the apps belong to the organization. @throws not_found */
export async function findAppIds(scope: Scope, given: readonly string[]): Promise<string[]> {
  const apps = organizationParts.parts.find((part) => part.apps)?.apps
  const known = new Set(await apps?.known(scope, given))
  const missing = given.find((id) => !known.has(id))
  if (missing !== undefined) {
    throw refuse('not_found', { detail: `There is no app "${missing}" in this organization.` })
  }
  return [...known]
}
