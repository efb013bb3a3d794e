import app from '@adonisjs/core/services/app'
import drive from '@adonisjs/drive/services/main'
import logger from '@adonisjs/core/services/logger'
import { encodeIcon } from './upload_icon.js'
import { unrestricted, type Principal } from '#foundation/core/principal'
import { randomText } from '#foundation/core/ids'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'

const MAX_BYTES = 5 * 1024 * 1024

/** Fetches the icon of an app in the background once the transaction has committed. */
export function fetchIconLater(scope: Scope, appId: string, url: string): void {
  const standing: Principal = {
    organization: scope.organization,
    actor: { type: 'system', id: null, name: 'icon' },
    permissions: unrestricted,
  }
  scope.transaction.after('commit', () => {
    const fetching = fetchIcon(standing, appId, url)
      .catch((error) => logger.error({ err: error, appId }, 'fetching an icon failed'))
      .finally(() => underWay.delete(fetching))
    underWay.add(fetching)
  })
}

const underWay = new Set<Promise<void>>()

/** Waits for the icons that are being fetched: before a process ends, and in tests. */
export async function iconsFetched(): Promise<void> {
  await Promise.all(underWay)
}

/**
 * Fetches an icon, re-encodes it and keeps the copy. A failure is no error of the request that
 * named the icon: it becomes the event `app.iconFailed`.
 */
export async function fetchIcon(standing: Principal, appId: string, url: string): Promise<void> {
  const icon = await download(url)
  if (typeof icon === 'string') return warn(standing, appId, url, icon)
  const name = `${randomText(24)}.png`
  await drive.use().put(`icons/${name}`, icon)
  let kept = false
  try {
    kept = await unitOfWork.writing(standing, (scope) => keepIcon(scope, appId, url, name))
  } finally {
    if (!kept) await drive.use().delete(`icons/${name}`)
  }
}

/** @returns false when the app is gone, or another icon was named or uploaded meanwhile. */
async function keepIcon(scope: Scope, appId: string, url: string, name: string): Promise<boolean> {
  // Locked before it is read: a change under way is waited for, and then seen.
  await scope.lock('apps', appId)
  const row = scope.table('apps').where({ id: appId, icon_url: url }).whereNull('icon_file')
  if (!(await row.clone().select('id').first())) return false
  await row.update({ icon_file: name, updated_at: scope.now })
  return true
}

/** The picture, or in words why there is none. */
async function download(url: string): Promise<Buffer | string> {
  const outbound = await app.container.make('outbound')
  const answer = await outbound.request({ url, maxBytes: MAX_BYTES })
  if (answer.errorClass !== null) return answer.errorMessage ?? 'The address does not answer'
  if (answer.status !== 200) return `The address answers ${answer.status}`
  if (answer.truncated) return 'The picture is larger than 5 MiB'
  try {
    return await encodeIcon({ bytes: answer.body, contentType: '' })
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}

async function warn(
  standing: Principal,
  appId: string,
  url: string,
  reason: string
): Promise<void> {
  await unitOfWork.writing(standing, async (scope) => {
    if (!(await scope.lock('apps', appId))) return
    scope.events.record({
      type: 'app.iconFailed',
      entityKey: `app:${appId}`,
      title: `The icon could not be fetched: ${reason}`.slice(0, 500),
      appId,
      data: { url, reason },
    })
  })
}
