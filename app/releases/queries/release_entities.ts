import type { Scope } from '#foundation/core/scope'
import type { ReleaseEntity } from '../entities.js'
import type Release from '../models/release.js'
import { releaseEntity, type PilotRow } from '../transformers/release_entity.js'

/** The people of some ids, by id. */
export async function pilotsOf(
  scope: Scope,
  ids: readonly (string | null)[]
): Promise<Map<string, PilotRow>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows: PilotRow[] = await scope
    .table('users')
    .whereIn('id', wanted)
    .select('id', 'email', 'name')
  return new Map(rows.map((row) => [row.id, row]))
}

/** Releases as the API shows them. */
export async function releaseEntities(
  scope: Scope,
  releases: readonly Release[]
): Promise<ReleaseEntity[]> {
  const pilots = await pilotsOf(
    scope,
    releases.map((release) => release.pilotId)
  )
  return releases.map((release) =>
    releaseEntity(release, release.pilotId ? (pilots.get(release.pilotId) ?? null) : null)
  )
}

/** One release as the API shows it. */
export async function oneReleaseEntity(scope: Scope, release: Release): Promise<ReleaseEntity> {
  const [entity] = await releaseEntities(scope, [release])
  return entity
}
