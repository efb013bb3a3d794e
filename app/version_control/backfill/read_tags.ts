import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { RETRIES } from '#foundation/jobs/retry'
import { onCommand } from '#foundation/jobs/handlers'
import { commandKind } from '#foundation/core/jobs/kinds'
import { jobs } from '#foundation/core/jobs/tables'
import type { Instant } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { everyPage } from '#integrations/every_page'
import type { Tag } from '#plugin-kit/capabilities/source'
import type { IntegrationObserver } from '#integrations/callbacks/observers'
import { mendable } from '#integrations/outcome_of_call'
import { integrationsOfConnection, repositoryOf } from '#integrations/queries/app_integrations'
import { ImportReleases } from '#releases/actions/import_releases'
import { askCode } from '../code_commands.js'
import { findRepository } from '../repository/app_repository.js'
import { pastVersions } from './past_versions.js'

/** Maximum number of pages of tags, the newest first. */
const MAX_PAGES = 20

/** Past versions are to be read from the tags of an app's repository; the subject is the app. */
const readTagsKind = commandKind(
  'app.readTags',
  Type.Object({ appId: Type.String(), integrationId: Type.String(), connectionId: Type.String() }),
  'versionControl'
)

/**
 * Plans that a worker reads past versions of an app from its tags: once per repository, and again
 * when the app's tag patterns change.
 * @param cause a new cause has them read again
 */
export async function requestPastVersions(scope: Scope, appId: string, cause = ''): Promise<void> {
  const repository = await findRepository(scope, appId)
  if (!repository) return
  const { app, integration } = repository
  const { id: integrationId, connectionId } = integration
  const patterns = app.tagSettings.map(({ pattern }) => pattern)
  const place = [integrationId, connectionId, await repositoryOf(scope, appId), patterns, cause]
  await scope.jobs.command(readTagsKind, {
    subject: appId,
    idempotencyKey: `${appId} ${hash('sha256', JSON.stringify(place), 'base64url')}`,
    payload: { appId, integrationId, connectionId },
  })
}

/** New credentials may see a repository that the former ones did not. */
export const observer: IntegrationObserver = {
  async renewed(scope, connectionId) {
    for (const { appId, kind } of await integrationsOfConnection(scope, connectionId)) {
      if (kind === 'versionControl') await requestPastVersions(scope, appId, scope.now)
    }
  },
}

const READING = select(
  of(jobs, 'e', ['id']),
  `from jobs e where e.organization_id = :org and e.kind = '${readTagsKind.name}'
    and e.subject = :appId and e.finished_at is null and e.created_at > :since limit 1`
)

/** Returns whether reading an app's tags was requested after a time and has not ended yet. */
export async function isReadingTags(scope: Scope, appId: string, since: Instant): Promise<boolean> {
  return (await scope.rows(READING, { appId, since })).length > 0
}

/** Reads the tags of a repository, and imports the versions that they mark. */
export const readTags = onCommand(readTagsKind, {
  actor: 'version control',
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: async (job, context) => {
    const outcome = await askCode(job, context, (versionControl) =>
      everyPage((cursor) => versionControl.listTags('', cursor), MAX_PAGES)
    )
    return mendable(outcome)
  },
  async storeResult(scope, { payload: { appId } }, tags: Tag[]) {
    const repository = await findRepository(scope, appId)
    if (!repository) return
    const past = pastVersions(repository.app, tags, scope.now)
    await new ImportReleases(scope).handle(appId, past)
  },
})
