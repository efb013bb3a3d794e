import { orThrow } from '@tarmac/client'
import { columns, plain } from '../output.js'
import type { Session } from '../session.js'

/** Lists apps with their live version and current release. */
export async function apps({ client, out, organizationId }: Session): Promise<void> {
  const path = { orgId: organizationId() }
  const found = await orThrow(client.GET('/org/{orgId}/apps', { params: { path } }))
  out.show(found, () =>
    columns([
      ['APP', 'PLATFORM', 'LIVE', 'RELEASE'],
      ...found.map(({ id, platform, liveVersion, currentRelease }) => [
        id,
        platform,
        liveVersion ?? '–',
        currentRelease ? plain(`${currentRelease.id} (${currentRelease.status})`) : '–',
      ]),
    ])
  )
}
