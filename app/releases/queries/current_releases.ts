import type { Scope } from '#foundation/scope'
import type { ReleaseStatus } from '../vocabulary.js'

export interface CurrentRelease {
  current: { id: string; version: string; status: ReleaseStatus } | null
  /** The highest version that was released to users. */
  liveVersion: string | null
}

interface Row {
  app_id: string
  version: string
  status: ReleaseStatus
  released_at: string | null
  completed_at: string | null
}

const NEWEST_FIRST = [
  { column: 'version_major', order: 'desc' as const },
  { column: 'version_minor', order: 'desc' as const },
  { column: 'version_patch', order: 'desc' as const },
]

/**
 * Per app the release the train is at (the lowest active version of the train, else any
 * active one) and the version that users have.
 */
export async function currentReleases(
  scope: Scope,
  appIds: readonly string[]
): Promise<Map<string, CurrentRelease>> {
  const found = new Map<string, CurrentRelease>()
  for (const appId of appIds) {
    const active: (Row & { create_type: string })[] = await scope
      .table('releases')
      .where({ app_id: appId, status: 'active' })
      .orderBy(NEWEST_FIRST)
      .select('app_id', 'version', 'status', 'create_type')
    const live: Row | null = await scope
      .table('releases')
      .where({ app_id: appId, status: 'completed' })
      .orderBy(NEWEST_FIRST)
      .select('version')
      .first()
    const current =
      active.filter((row) => row.create_type === 'release').at(-1) ?? active.at(-1) ?? null
    found.set(appId, {
      current: current && {
        id: `${appId}:${current.version}`,
        version: current.version,
        status: current.status,
      },
      liveVersion: live?.version ?? null,
    })
  }
  return found
}
