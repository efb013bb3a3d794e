import { isDeepStrictEqual } from 'node:util'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { lengthOf } from '#foundation/core/text'
import { requireOpen } from '#releases/preconditions/require_open'
import { stateOf } from '#releases/preconditions/state_of'
import type Release from '#releases/models/release'
import { findCurrentRun } from '#releases/queries/find_current_run'
import { stepRows } from '#releases/queries/step_rows'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { isUsable, storeBuildsOfRelease, type StoreBuildRow } from '../queries/store_builds.js'
import { storesAndBeta, targetsOfStep, type StoreTarget } from '../queries/store_targets.js'
import { appStoreBuilds } from '../tables.js'
import { MAX_OF_TEST_NOTES, NO_REFUSAL, type Distribution } from '../vocabulary.js'
import { testersKind } from '../work_kinds.js'
import type { TestersInput } from './testers_input.js'

/** A build, and the beta service where it is tested. */
interface Chosen {
  target: StoreTarget
  build: StoreBuildRow
}

/** Plans the job that gives a build of a release to groups of testers. */
export class DistributeBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws not_found, step_type_mismatch, step_run_superseded, integration_missing,
   * release_completed, release_skipped, no_build_selected, build_unusable, invalid_input
   */
  async handle(release: Release, stepRunId: string, input: TestersInput): Promise<void> {
    const { scope } = this
    const errors = new InputErrors()
    const chosen = await this.check(release, stepRunId, input, errors)
    errors.throwIfAny()
    const { target, build } = chosen ?? requireChosen(release)
    if (!isUsable(build)) {
      throw refuse('build_unusable', {
        detail: `The build ${build.buildNumber} cannot be distributed to testers.`,
      })
    }
    const { groups, notes = [] } = input
    const before = build.distribution
    const isSame =
      before !== null &&
      before.state !== 'refused' &&
      isDeepStrictEqual({ groups: before.groups, notes: before.notes }, { groups, notes })
    if (isSame) return
    const distribution: Distribution = {
      id: newId('distribution'),
      groups,
      notes,
      state: 'pending',
      askedAt: scope.now,
      askedBy: scope.actor,
      endedAt: null,
      ...NO_REFUSAL,
    }
    await scope.update(appStoreBuilds, { id: build.id }, { distribution })
    recordReleaseEvent(scope, release, {
      type: 'build.testersWanted',
      title: `Build ${build.buildNumber} is being distributed to ${groups.join(', ')}`.slice(
        0,
        1000
      ),
      data: { appStoreBuildId: build.id, destinationId: target.destinationId, groups, stepRunId },
      payload: null,
    })
    await scope.jobs.cancel(testersKind, build.id)
    const { appId, integrationId } = target
    await scope.jobs.command(testersKind, {
      subject: build.id,
      entityKey: `testers of ${build.id}`,
      payload: {
        appId,
        integrationId,
        releaseId: release.id,
        distributionId: distribution.id,
        askedBy: scope.actor,
      },
    })
  }

  /**
   * Adds errors for notes and builds that the store does not take.
   * @returns the build; null if there is none to give
   */
  async check(
    release: Release,
    stepRunId: string,
    { appStoreBuildId, notes = [] }: PartiallyValid<TestersInput>,
    errors: InputErrors
  ): Promise<Chosen | null> {
    const { scope } = this
    const { step } = await findCurrentRun(scope, release, stepRunId, ['betaTesting'])
    const all = (await storesAndBeta(scope, release.appId)).filter(
      ({ kind }) => kind === 'betaTesting'
    )
    const targets = targetsOfStep(all, step, await stepRows(scope, release.id))
    const [first] = targets
    if (!first) {
      throw refuse('integration_missing', {
        detail: `${release.appId} has no usable beta testing integration.`,
      })
    }
    requireOpen(release)
    const most = MAX_OF_TEST_NOTES[first.storeType]
    for (const [index, note] of notes.entries()) {
      const length = lengthOf(note?.text ?? '')
      if (length <= most) continue
      errors.add({
        pointer: `/notes/${index}/text`,
        code: 'too_long_for_store',
        message: `The text has ${length} characters, and the store accepts at most ${most}.`,
      })
    }
    const builds = await storeBuildsOfRelease(scope, release.id)
    const chosen = builds.flatMap((build): Chosen[] => {
      const target = targets.find(({ destinationId }) => destinationId === build.destinationId)
      return target ? [{ target, build }] : []
    })
    if (appStoreBuildId === undefined) return newestOf(chosen)
    const named = chosen.find(({ build }) => build.id === appStoreBuildId)
    if (named) return named
    errors.add({
      pointer: '/appStoreBuildId',
      code: 'unknown_build',
      message: `The destinations of the step have no such build of ${release.version}.`,
    })
    return null
  }
}

/** Returns the build that ships, or else the newest that testers can have. */
function newestOf(chosen: readonly Chosen[]): Chosen | null {
  const usable = chosen.filter(({ build }) => isUsable(build))
  return (
    usable.find(({ build }) => build.selected) ??
    usable.toSorted((one, other) =>
      other.build.uploadedAt.localeCompare(one.build.uploadedAt)
    )[0] ??
    null
  )
}

function requireChosen(release: Release): never {
  throw refuse('no_build_selected', {
    detail: `The store has no build of ${release.version} that can be distributed to testers.`,
    ...stateOf(release),
  })
}
