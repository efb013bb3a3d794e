import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import { discardFiles, discardUnlessReferenced } from '#foundation/core/files/stored_files'
import { unrestricted, type Principal } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { unitOfWork } from '#foundation/core/services'
import { recordAppEvent } from '../record_app_event.js'
import { iconKey, storeIcon } from './store_icon.js'

const MAX_BYTES = 5 * 1024 * 1024

/** Fetches the icon of an app in the background once the transaction has committed. */
export function fetchIconAfterCommit(scope: Scope, appId: string, url: string): void {
  const principal: Principal = {
    organization: scope.organization,
    actor: { type: 'system', id: null, name: 'icon' },
    permissions: unrestricted,
  }
  scope.transaction.after('commit', () => {
    const fetching = fetchIcon(principal, appId, url)
      .catch((error) => logger.error({ err: error, appId }, 'fetching an icon failed'))
      .finally(() => underWay.delete(fetching))
    underWay.add(fetching)
  })
}

const underWay = new Set<Promise<void>>()

/** Waits for the icons that are being fetched: before a process ends, and in tests. */
export async function waitForIcons(): Promise<void> {
  await Promise.all(underWay)
}

/**
 * Fetches an icon, re-encodes it and keeps the copy. A failure is no error of the request that
 * named the icon: it is told in the app's timeline (`app.iconFailed`) and shown by the app.
 */
export async function fetchIcon(principal: Principal, appId: string, url: string): Promise<void> {
  const fetched = await download(url)
  if ('reason' in fetched) return warn(principal, appId, url, fetched.reason)
  const { name } = fetched
  await discardUnlessReferenced(
    () => discardFiles([iconKey(name)]),
    () => unitOfWork.inTransaction(principal, (scope) => keepIcon(scope, appId, url, name)),
    (isKept) => isKept
  )
}

/** @returns false when the app is gone, or another icon was named or uploaded meanwhile. */
async function keepIcon(scope: Scope, appId: string, url: string, name: string): Promise<boolean> {
  // Locked before it is read: a change under way is waited for, and then seen.
  await scope.lock('apps', appId)
  const row = scope.table('apps').where({ id: appId, icon_url: url }).whereNull('icon_file')
  if (!(await row.clone().select('id').first())) return false
  await row.update({ icon_file: name, icon_failure: null, updated_at: scope.now })
  recordAppEvent(scope, appId, {
    type: 'app.iconChanged',
    title: 'The icon was fetched',
    data: { url },
  })
  return true
}

/** Stores the picture and answers its name, or in words why there is none. */
async function download(url: string): Promise<{ name: string } | { reason: string }> {
  const outbound = await app.container.make('outbound')
  const answer = await outbound.request({ url, maxBytes: MAX_BYTES })
  if (answer.errorClass !== null) {
    return { reason: answer.errorMessage ?? 'The address does not answer' }
  }
  if (answer.status !== 200) return { reason: `The address answers ${answer.status}` }
  if (answer.truncated) return { reason: 'The picture is larger than 5 MiB' }
  try {
    return { name: await storeIcon(answer.body) }
  } catch (error) {
    if (error instanceof Problem) return { reason: error.message }
    throw error
  }
}

async function warn(
  principal: Principal,
  appId: string,
  url: string,
  reason: string
): Promise<void> {
  await unitOfWork.inTransaction(principal, async (scope) => {
    if (!(await scope.lock('apps', appId))) return
    recordAppEvent(scope, appId, {
      type: 'app.iconFailed',
      title: `The icon could not be fetched: ${reason}`,
      data: { url, reason },
    })
    // The app shows it for as long as this is the icon it should have.
    await scope
      .table('apps')
      .where({ id: appId, icon_url: url })
      .whereNull('icon_file')
      .update({
        icon_failure: JSON.stringify({ url, reason, at: scope.now }),
        updated_at: scope.now,
      })
  })
}
