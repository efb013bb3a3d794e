import { orThrow, TarmacError, type components } from '@tarmac/client'
import { plain, warningLines, type Output } from '../output.js'
import { releasePath, type Session } from '../session.js'
import { stateOf } from '../words.js'

type Release = components['schemas']['ReleaseEntity']
type Warned = components['schemas']['WarnedReleaseEntity']

export interface CreateOptions {
  type?: string
  name?: string
  description?: string
  ifMissing?: boolean
}

const shown = ({ id, status, phase }: Pick<Release, 'id' | 'status' | 'phase'>) =>
  plain(`${id} is ${stateOf({ status, phase })}.`)

const shownWithWarnings = (release: Warned, out: Output) =>
  shown(release) + warningLines(release.warnings, out)

/**
 * Drafts a release. With `--if-missing`, an existing one is returned, even to those who may not draft
 * releases.
 */
export async function createRelease(
  { client, out }: Session,
  appId: string,
  version: string,
  { type, name, description, ifMissing }: CreateOptions
): Promise<Pick<Release, 'id'>> {
  const body = {
    version,
    ...(type ? { releaseType: type as 'release' } : {}),
    ...(name ? { releaseName: name } : {}),
    ...(description ? { releaseDescription: description } : {}),
  }
  const created = orThrow(
    client.POST('/app/{appId}/release', { params: { path: { appId } }, body })
  )
  const release = await created.catch(async (error: unknown) => {
    const code = error instanceof TarmacError ? error.code : null
    const mayExist = code === 'version_taken' || code === 'action_missing'
    if (!mayExist || !ifMissing) throw error
    const path = { appId, releaseId: `${appId}:${version}` }
    const found = await client.GET('/v2/app/{appId}/releases/{releaseId}', { params: { path } })
    if (found.response.status === 404) throw error
    return orThrow(found)
  })
  out.show(release, () => shown(release))
  return release
}

/** Kicks a release off. */
export async function kickOff({ client, out }: Session, id: string): Promise<void> {
  const params = { path: releasePath(id) }
  const release = await orThrow(client.PUT('/app/{appId}/release/{releaseId}/kickoff', { params }))
  out.show(release, () => shownWithWarnings(release, out))
}

/** Submits a release for review. */
export async function submit(
  { client, out }: Session,
  id: string,
  { incomplete }: { incomplete?: boolean }
): Promise<void> {
  const release = await orThrow(
    client.PUT('/app/{appId}/release/{releaseId}/submit', {
      params: { path: releasePath(id) },
      body: incomplete ? { submitWithIncompleteSteps: true } : {},
    })
  )
  out.show(release, () => shownWithWarnings(release, out))
}
