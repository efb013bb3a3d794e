import type App from '#apps/models/app'
import type { AppExtension, ConfigurationChange } from '#apps/extensions'
import type { AppSettings } from '#apps/settings'
import { reportedChanges } from '#apps/reported_changes'
import { change } from '#foundation/core/database/statement'
import { refuse } from '#foundation/core/problems/problem'
import { nullable, object, enumOf } from '#foundation/core/schemas'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { releaseId, versionText } from '../entities.js'
import { RELEASE_ID, VERSION } from '../examples.js'
import { requireNoneLive } from '../preconditions/require_not_live.js'
import { adoptWorkflow } from './adopt_workflow.js'
import { nextEvaluation } from './next_evaluation.js'
import { forEachOpenRelease } from './open_releases.js'
import type Release from '../models/release.js'
import { recordReleaseEvent } from '../timeline/record_release_event.js'
import { publicReleaseId } from '../names/public_release_id.js'
import { currentReleases, type CurrentRelease } from '../queries/current_releases.js'
import { RELEASE_STATUSES } from '../vocabulary.js'

declare module '#apps/extensions' {
  interface AppMembers {
    currentRelease: CurrentRelease['currentRelease']
    liveVersion: CurrentRelease['liveVersion']
  }
}

const REMOVE = change('delete from releases where organization_id = :org and id = :id')

/** Paths of the changes that apply to upcoming releases. */
const FOR_UPCOMING = /^(stepGroups|appSettings)/
/** Paths of the changes that apply to active releases before their kickoff. */
const BEFORE_KICKOFF = /^(stepGroups|appSettings\.versionFiles)/
/** Paths of the changes that apply to releases after their kickoff. */
const AFTER_KICKOFF = /^stepGroups/

/** Updates the settings that only matter until the kickoff, such as after a failed one. */
function followUntilKickoff(release: Release, { versionFiles }: AppSettings): void {
  release.settings = { ...release.settings, versionFiles }
}

function recordConfigurationChanged(
  scope: Scope,
  release: Release,
  changes: readonly ConfigurationChange[]
): void {
  if (changes.length === 0) return
  recordReleaseEvent(scope, release, {
    type: 'app.configurationChanged',
    title: `The configuration of the app changed: ${changes.map(({ op, path }) => `${op} ${path}`).join(', ')}`,
    data: { changes: reportedChanges(changes) },
    payload: null,
  })
}

/** The extension of apps by releases. */
export const appExtension: AppExtension = {
  entity: {
    schema: {
      currentRelease: nullable(
        object('The active release; null if none.', {
          id: releaseId(),
          version: versionText('Version of the release.'),
          status: enumOf(RELEASE_STATUSES, 'Status of the release.'),
        })
      ),
      liveVersion: nullable(versionText('Version now live to users; null until one was released.')),
    },
    of: currentReleases,
    none: { currentRelease: null, liveVersion: null },
    example: {
      currentRelease: { id: RELEASE_ID, version: VERSION, status: 'active' },
      liveVersion: '4.1.0',
    },
  },

  /**
   * Applies a changed app to the releases that have not ended. The workflow applies to all steps of
   * upcoming releases and to untouched steps of active ones. The settings apply to releases that
   * were upcoming before the change, even if it makes one active. Each affected release first
   * records the change in its timeline.
   */
  async adopt(scope, app, { workflow, settings, changes }) {
    if (!workflow && !settings) return
    await forEachOpenRelease(scope, app.id, async (release, { statusBefore, cache }) => {
      const isUpcoming = statusBefore === 'upcoming'
      if (isUpcoming) release.settings = app.settings
      else if (release.kickedOffAt === null) followUntilKickoff(release, app.settings)
      let reach = release.kickedOffAt === null ? BEFORE_KICKOFF : AFTER_KICKOFF
      if (isUpcoming) reach = FOR_UPCOMING
      const effective = changes.filter(({ path }) => reach.test(path))
      recordConfigurationChanged(scope, release, effective)
      await adoptWorkflow(scope, release, { cache })
    })
  },

  async requireRemovable(scope, app, isForced) {
    if (isForced) return
    const version = await activeVersion(scope, app)
    if (version === null) {
      return requireNoneLive(scope, app.id, {
        what: 'the app is not removed, as its releases could no longer be watched or stopped',
        instead: 'Stop or withdraw it first, or repeat with force=true.',
        allowedActions: ['force'],
        isMeant: () => true,
      })
    }
    throw refuse('release_active', {
      detail: `The release ${publicReleaseId({ appId: app.id, version })} is active.`,
      remedy: 'Finish it, or repeat with force=true.',
      currentStatus: 'active',
      allowedActions: ['complete', 'skip', 'force'],
    })
  },

  /** Deletes the releases first, because their copies of items refer to the items' rows. */
  async remove(scope, app) {
    const rows: { id: string; next_evaluation_at: string | null }[] = await scope
      .table('releases')
      .where('app_id', app.id)
      .select('id', 'next_evaluation_at')
    for (const { id, next_evaluation_at: nextEvaluationAt } of rows) {
      if (nextEvaluationAt !== null) await scope.jobs.cancel(nextEvaluation, id)
      await scope.change(REMOVE, { id })
      await yieldToOthers()
    }
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
