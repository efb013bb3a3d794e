import { addresses, addressOf } from '../addresses.js'
import type { PageCall } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { withoutStop } from '../words/now.js'
import { STEP_STATUSES, STORE_BUILD_STATES, statusLabel } from '../words/statuses.js'
import { dayText } from '../words/times.js'
import { isYours, namesOf } from '../words/who.js'
import { actsOf } from './acts.js'
import type { Distribution, ShownStep } from './answers.js'
import { itemsOf } from './items.view.js'
import type { ReleaseAnswers } from './read.js'
import { betaOf } from './steps/beta.view.js'
import { buildOf } from './steps/build.view.js'
import { featuresOf } from './steps/features.view.js'
import { regressionOf } from './steps/regression.view.js'
import { reviewOf } from './steps/review.view.js'
import { translationsOf } from './steps/translations.view.js'
import { tagOf } from './tags.js'

/** Steps that show the build of the release. */
const WITH_BUILD: ReadonlySet<string> = new Set([
  'releaseCandidate',
  'rollbackBuild',
  'regressionTesting',
])

/** Codes of conditions that the card of each store shows. */
const OF_ROLLOUTS: ReadonlySet<string> = new Set([
  'rolling_out',
  'rollout_paused',
  'rollout_halted',
])

type About = Pick<PageCall, 'reader' | 'refused' | 'query'> & { base: string }

/** Returns the step that is shown: its conditions, the parts of its type, and the acts. */
export function stepOf(step: ShownStep, answers: ReleaseAnswers, about: About) {
  const { app, release, items, tags } = answers
  const { base, reader, refused } = about
  const address = addressOf(addresses.step, {
    appId: app.id,
    releaseId: release.id,
    stepId: step.id,
  })
  const at = { address, pilotId: release.releasePilotId }
  const shown = items.length > 0 ? itemsOf(items, at, reader, refused) : null
  const byType = partsOf(step, answers, { ...about, address })
  return {
    id: step.id,
    name: step.name,
    type: step.type,
    status: statusLabel(STEP_STATUSES, step.status),
    since: step.statusChangedAt ? dayText(step.statusChangedAt, reader) : null,
    required: step.required,
    count: shown?.count ?? byType.translations?.count ?? null,
    // Conditions of items and of languages are shown with these.
    unmet: step.unmet
      .filter(
        ({ code, subject }) =>
          !OF_ROLLOUTS.has(code) &&
          subject?.type !== 'locale' &&
          !items.some(({ id }) => id === subject?.id)
      )
      .map(({ message, who }) => ({
        // The reason is below in full.
        text: withoutStop(
          byType.review?.rejection ? message.split(' The store reports')[0] : message
        ),
        who: namesOf(who),
        isYours: isYours(who, reader.principal),
      })),
    items: shown,
    ...byType,
    run: step.stepRunId ?? '',
    destination: step.destinationId ?? '',
    acts: actsOf(step, { release, steps: answers.held.steps, address, tags, reader, refused }),
    address,
    base,
  }
}

/** Returns the parts of a step by its type; those of other types are null. */
function partsOf(
  step: ShownStep,
  answers: ReleaseAnswers,
  { address, reader, refused, query }: About & { address: string }
) {
  const { app, run, release, storeBuilds, features, locales, tags } = answers
  const is = (type: string) => step.type === type
  const tagFor = (operation: string) => tagOf(operation, tags, step.stepRunId)
  const texts = run?.data.localizations as { locale: string }[] | undefined
  const selection = `${address}/selectedBuild`
  return {
    build: WITH_BUILD.has(step.type)
      ? buildOf(step.type, answers, { reader, release: { appId: app.id, releaseId: release.id } })
      : null,
    regression: is('regressionTesting')
      ? regressionOf(step.data as never, {
          ...{ address, reader, refused, run: step.stepRunId ?? '' },
          tag: tagFor('updateStepRunRegressionStatus'),
        })
      : null,
    features: features && featuresOf(features, address, query, reader),
    translations: locales.length > 0 ? translationsOf(locales) : null,
    beta: is('betaTesting')
      ? betaOf((run?.data.distributions ?? []) as Distribution[], storeBuilds, reader)
      : null,
    review: is('storeReview') ? reviewOf(step.data, reader) : null,
    selection: is('submission')
      ? {
          action: selection,
          tag: seenTag(tagFor('setSelectedBuilds'), selection, refused),
          may: reader.may('setSelectedBuilds') && release.status === 'active',
          builds: storeBuilds.map((each) => ({
            id: each.id,
            name: `${each.version} (${each.buildNumber})`,
            state: statusLabel(STORE_BUILD_STATES, each.processingState).word,
            isSelected: each.selected,
          })),
        }
      : null,
    locales: texts ? texts.map(({ locale }) => locale).join(', ') : null,
    approved:
      run && 'approved' in run.data
        ? {
            is: run.data.approved === true,
            by: (run.data.decidedBy as { name: string } | null)?.name ?? null,
          }
        : null,
  }
}
