import type { InputErrors } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import Group from '../models/group.js'
import { organizationExtensions } from '../extensions.js'

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
  const known = await knownApps(scope, given)
  const missing = given.find((id) => !known.has(id))
  if (missing !== undefined) {
    throw refuse('not_found', { detail: `There is no app "${missing}" in this organization.` })
  }
  return [...known]
}

export async function knownApps(scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  const apps = organizationExtensions.all.find((extension) => extension.apps)?.apps
  return new Set(await apps?.existingIds(scope, ids))
}

/** Ids of a body; undefined in place of malformed ones. */
type GivenIds = readonly (string | undefined)[] | null | undefined

/** Checks the groups of a body: an unknown group is a fault. */
export async function checkGroupIds(
  scope: Scope,
  ids: GivenIds,
  errors: InputErrors
): Promise<void> {
  if (!ids?.length) return
  const groups = await scope.query(Group).whereIn('id', wellFormed(ids))
  reportUnknown('group', ids, new Set(groups.map(({ id }) => id)), errors)
}

/** Checks the apps of a body in the same way. */
export async function checkAppIds(scope: Scope, ids: GivenIds, errors: InputErrors): Promise<void> {
  if (!ids?.length) return
  reportUnknown('app', ids, await knownApps(scope, wellFormed(ids)), errors)
}

const wellFormed = (ids: NonNullable<GivenIds>) => ids.filter((id) => id !== undefined)

function reportUnknown(
  what: 'group' | 'app',
  ids: NonNullable<GivenIds>,
  known: ReadonlySet<string>,
  errors: InputErrors
) {
  for (const [index, id] of ids.entries()) {
    if (id === undefined || known.has(id)) continue
    const message = `There is no ${what} ${id}.`
    errors.add({ pointer: `/${what}Ids/${index}`, code: `unknown_${what}`, message })
  }
}
