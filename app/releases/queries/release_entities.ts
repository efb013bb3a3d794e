import type { Scope } from '#foundation/core/scope'
import { peopleOf } from '#organizations/queries/people'
import type { ReleaseEntity } from '../entities.js'
import { releaseExtensions } from '../extensions.js'
import { ownMembers } from '../transformers/release_entity.js'
import type { FoundRelease, ReleaseRow } from './read_release.js'

/** Returns releases as the API shows them, with the members of extensions. */
export async function releaseEntities(
  scope: Scope,
  found: readonly FoundRelease[]
): Promise<ReleaseEntity[]> {
  const rows = found.map(({ release }) => release)
  const added = new Map<string, object>()
  const parts = releaseExtensions.all.flatMap(({ presentation }) => presentation?.entity ?? [])
  const given = await Promise.all(parts.map((entity) => entity.of(scope, rows)))
  for (const [index, entity] of parts.entries()) {
    const members = given[index]
    for (const { id } of rows) {
      added.set(id, { ...added.get(id), ...(members.get(id) ?? entity.none) })
    }
  }
  return found.map(
    ({ release, pilot }) =>
      ({ ...ownMembers(release, pilot), ...added.get(release.id) }) as ReleaseEntity
  )
}

/** Returns one release as the API shows it. */
export async function releaseEntity(scope: Scope, release: ReleaseRow): Promise<ReleaseEntity> {
  const { pilotId } = release
  const pilot = pilotId ? ((await peopleOf(scope, [pilotId])).get(pilotId) ?? null) : null
  const [entity] = await releaseEntities(scope, [{ release, pilot }])
  return entity
}
