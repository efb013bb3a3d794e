import { Type } from '@sinclair/typebox'
import type App from '#apps/models/app'
import type { AppPart } from '#apps/parts'
import { refuse } from '#foundation/core/problems/problem'
import { nullable, words } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import { adoptWorkflow } from './lifecycle/adopt_workflow.js'
import { nextLook } from './lifecycle/next_look.js'
import { forEachOpenRelease } from './open_releases.js'
import { publicReleaseId } from './public_release_id.js'
import { currentReleases, type CurrentRelease } from './queries/current_releases.js'
import { RELEASE_STATUSES } from './vocabulary.js'

declare module '#apps/parts' {
  interface AppMembers {
    currentRelease: CurrentRelease['currentRelease']
    liveVersion: CurrentRelease['liveVersion']
  }
}

/** What releases take part in of an app. */
export const appPart: AppPart = {
  entity: {
    schema: {
      currentRelease: nullable(
        Type.Object({
          id: Type.String(),
          version: Type.String(),
          status: words(RELEASE_STATUSES),
        })
      ),
      liveVersion: nullable(Type.String()),
    },
    of: currentReleases,
    none: { currentRelease: null, liveVersion: null },
  },

  /**
   * Carries a changed app into the releases that have not ended: its workflow into upcoming
   * ones whole and into active ones where they are untouched, its settings into those that
   * were upcoming before the change, also where it makes one active.
   */
  async adopt(scope, app) {
    await forEachOpenRelease(scope, app.id, async (release, statusBefore) => {
      if (statusBefore === 'upcoming') release.settings = app.settings
      await adoptWorkflow(scope, release)
    })
  },

  async demandRemovable(scope, app, isForced) {
    const version = isForced ? null : await activeVersion(scope, app)
    if (version === null) return
    throw refuse('release_active', {
      detail: `The release ${publicReleaseId({ appId: app.id, version })} is active; finish it, or repeat with force=true.`,
      currentStatus: 'active',
      allowedActions: ['complete', 'skip', 'force'],
    })
  },

  /** Releases hold copies of items, so they go before the items' own rows. */
  async remove(scope, app) {
    const releases = () => scope.table('releases').where('app_id', app.id)
    const timed: { id: string }[] = await releases().whereNotNull('next_look_at').select('id')
    for (const { id } of timed) await scope.agenda.cancel(nextLook, id)
    await releases().delete()
  },
}

async function activeVersion(scope: Scope, app: App): Promise<string | null> {
  const active = await scope
    .table('releases')
    .where({ app_id: app.id, status: 'active' })
    .select('version')
    .first()
  return active?.version ?? null
}
