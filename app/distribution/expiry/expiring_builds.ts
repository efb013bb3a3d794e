import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import type { Who } from '#releases/engine/conditions'
import type { Expected, PresentationExtension, Stalled } from '#releases/extensions'
import type { ReleaseRow } from '#releases/queries/read_release'
import { buildReadings } from '../tables.js'
import { endsOfBuild } from './ends_of_build.js'

const NEWEST = select(
  of(buildReadings, 'm', ['buildId', 'metadata']),
  `from distribution_builds d join build_readings m
     on m.organization_id = d.organization_id and m.build_id = d.id
   where d.organization_id = :org and d.app_id = :appId and m.metadata is not null
     and (d.version = :version or d.ci_build_id in (
       select b.id from ci_builds b where b.organization_id = :org and b.release_id = :releaseId))
   order by d.created_at desc, d.id desc limit 1`
)

/** Returns the ends of the newest build of an unreleased release; read once per transaction. */
const endsOf = (scope: Scope, release: ReleaseRow) =>
  scope.once(`ends of the build of ${release.id}`, () => readEnds(scope, release))

async function readEnds(scope: Scope, release: ReleaseRow) {
  const { id: releaseId, appId, version, releasedAt, status } = release
  if (releasedAt !== null || status === 'completed' || status === 'skipped') return []
  const [row] = await scope.rows(NEWEST, { appId, version, releaseId })
  if (!row?.metadata) return []
  const { buildId: id, metadata } = row
  const name = metadata.buildNumber ?? metadata.version ?? id
  return endsOfBuild(metadata, scope.now).map((end) => ({ ...end, id, name }))
}

/** Shows the ends of builds in `whyNotMoving`: as expected changes, and as stalled once past. */
export const expiringBuilds: Pick<PresentationExtension, 'expected' | 'stalled'> = {
  async expected(scope, release): Promise<Expected[]> {
    const found = await endsOf(scope, release)
    return found
      .filter(({ at }) => at > scope.now)
      .map(({ at, what, message }) => ({ at, what, message, who: PILOT }))
  },
  async stalled(scope, release): Promise<Stalled[]> {
    const found = await endsOf(scope, release)
    return found
      .filter(({ at }) => at <= scope.now)
      .map(({ what, message, id, name }) => ({
        code: CODES[what],
        message,
        subject: { type: 'build', id, name },
        who: PILOT,
      }))
  },
}

const PILOT: Who[] = [{ type: 'releasePilot' }]

const CODES = {
  profileEnd: 'profile_ended',
  certificateEnd: 'certificate_ended',
  targetApiLevel: 'target_api_level',
} as const
