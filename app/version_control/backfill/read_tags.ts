import { hash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { RETRIES } from '#foundation/agenda/retry'
import { onWish } from '#foundation/agenda/handlers'
import { findApp } from '#apps/queries/find_app'
import { wishKind } from '#foundation/core/agenda/kinds'
import { agendaEntries } from '#foundation/core/agenda/tables'
import { later } from '#foundation/core/clock'
import { of, select } from '#foundation/core/database/statement'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { Tag } from '#plugin-kit/capabilities/source'
import { ImportReleases } from '#releases/actions/import_releases'
import { askCode } from '../code_wishes.js'
import { findRepository } from '../repository/app_repository.js'
import { pastVersions } from './past_versions.js'

/** Maximum number of pages of tags, the newest first. */
const MOST_PAGES = 20

/** Past versions are to be read from the tags of an app's repository; the subject is the app. */
const readTagsKind = wishKind(
  'app.readTags',
  Type.Object({ appId: Type.String(), integrationId: Type.String(), connectionId: Type.String() }),
  'versionControl'
)

/**
 * Has past versions of an app read from its tags by a worker: once for a repository, and again when
 * the app's tag patterns change.
 */
export async function wishPastVersions(scope: Scope, appId: string): Promise<void> {
  const repository = await findRepository(scope, appId)
  if (!repository) return
  const { app, integration } = repository
  const { id: integrationId, connectionId } = integration
  const patterns = JSON.stringify(app.tagSettings.map(({ pattern }) => pattern))
  await scope.agenda.wish(readTagsKind, {
    subject: appId,
    idempotencyKey: `${appId} ${integrationId} ${hash('sha256', patterns, 'base64url')}`,
    payload: { appId, integrationId, connectionId },
  })
}

const READING = select(
  of(agendaEntries, 'e', ['id']),
  `from agenda_entries e where e.organization_id = :org and e.kind = '${readTagsKind.name}'
    and e.subject = :appId and e.finished_at is null and e.created_at > :since limit 1`
)

/** A repository that does not answer for longer holds nothing up. */
const WORTH_WAITING = 10 * MINUTE

/** Returns whether the tags of an app are about to be read. */
export async function isReadingTags(scope: Scope, appId: string): Promise<boolean> {
  const since = later(scope.now, -WORTH_WAITING)
  return (await scope.rows(READING, { appId, since })).length > 0
}

/** Reads the tags of a repository, and imports the versions that they mark. */
export const readTags = onWish(readTagsKind, {
  actor: 'version control',
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: (entry, context) =>
    askCode(entry, context, async (versionControl) => {
      const tags: Tag[] = []
      let cursor: string | undefined
      for (let page = 0; page < MOST_PAGES; page++) {
        const { items, next } = await versionControl.listTags('', cursor)
        tags.push(...items)
        if (next === undefined) break
        cursor = next
      }
      return tags
    }),
  async answer(scope, { payload: { appId } }, tags: Tag[]) {
    const repository = await findRepository(scope, appId)
    if (!repository) return
    const app = await findApp(scope, appId)
    await new ImportReleases(scope).handle(appId, pastVersions(app, tags, scope.now))
  },
})
